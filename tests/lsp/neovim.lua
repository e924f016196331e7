-- Neovim with editors/neovim, driven: what it shows goes to $WORK/said (editors.sh).
local work = os.getenv("WORK")
vim.opt.runtimepath:append("editors/vim")
dofile("editors/neovim/ptxlitmus.lua")

local said = {}
local function say(...)
  table.insert(said, string.format(...))
end

local function wait_for(holds)
  return vim.wait(60000, holds, 20)
end

local function first_message()
  wait_for(function() return #vim.diagnostic.get(0) > 0 end)
  return vim.diagnostic.get(0)[1]
end

function drive()
  local message = first_message()
  say("%d %d: %s", message.lnum, message.col, vim.split(message.message, "\n")[1])
  say("%d %d", message.end_lnum, message.end_col)
  local position = { textDocument = vim.lsp.util.make_text_document_params(), position = { line = 7, character = 42 } }
  for _, answer in pairs(vim.lsp.buf_request_sync(0, "textDocument/hover", position, 60000)) do
    say("%s", answer.result.contents.value:match("\n(acquire) "))
  end
  vim.cmd("edit " .. work .. "/weak.litmus")
  message = first_message()
  say("%d %d: %s", message.lnum, message.col, message.message)
  vim.ui.select = function(items, _, choose) choose(items[1], 1) end
  vim.api.nvim_win_set_cursor(0, { 10, 3 })
  vim.lsp.buf.code_action()
  wait_for(function() return vim.fn.getline(9):find("st.release", 1, true) ~= nil end)
  say("%s", vim.fn.getline(9))
  vim.fn.writefile(said, work .. "/said")
  vim.cmd("qa!")
end
