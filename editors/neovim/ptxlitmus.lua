-- Neovim's own client with ptxlitmus's server. Needs Neovim 0.7, and a file type for tests and modules: editors/vim has one.
local config = {
  name = "ptxlitmus",
  cmd = { "ptxlitmus", "lsp" },
  root_dir = vim.fn.getcwd(),
}

local group = vim.api.nvim_create_augroup("ptxlitmus_server", {})
local client -- of a Neovim that does not keep one for all buffers (before 0.8)

local function start(buffer)
  if vim.lsp.start then
    vim.lsp.start(config, { bufnr = buffer })
  else
    client = client or vim.lsp.start_client(config)
    vim.lsp.buf_attach_client(buffer, client)
  end
end

vim.api.nvim_create_autocmd("FileType", {
  group = group,
  pattern = "litmus",
  callback = function(event)
    start(event.buf)
    vim.bo[event.buf].omnifunc = "v:lua.vim.lsp.omnifunc"
    vim.api.nvim_create_autocmd({ "BufEnter", "BufWritePost", "InsertLeave" }, {
      group = group,
      buffer = event.buf,
      callback = function()
        pcall(vim.lsp.codelens.refresh) -- the server may not have started yet
      end,
    })
  end,
})
