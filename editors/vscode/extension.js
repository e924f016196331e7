// What ptxlitmus says, in Visual Studio Code: starts `ptxlitmus lsp`, and shows what it answers.
'use strict';
const vscode = require('vscode');
const { Client } = require('./client');

const LANGUAGES = [{ language: 'litmus' }, { language: 'ptx' }];
const CAPABILITIES = {
  textDocument: {
    hover: { contentFormat: ['markdown'] },
    codeAction: { resolveSupport: { properties: ['edit'] } },
  },
};

let client, log, messages, lensesChanged;

function isOurs(document) {
  return vscode.languages.match(LANGUAGES, document) > 0;
}

// --- What the server says ---

function toRange(range) {
  return new vscode.Range(range.start.line, range.start.character, range.end.line, range.end.character);
}

// A Range of the editor makes something else of itself in JSON.
function fromRange({ start, end }) {
  return { start: { line: start.line, character: start.character }, end: { line: end.line, character: end.character } };
}

function showMessages({ uri, diagnostics }) {
  const shown = diagnostics.map((one) => {
    const shownOne = new vscode.Diagnostic(toRange(one.range), one.message, one.severity - 1);
    shownOne.source = one.source;
    shownOne.code = one.code;
    return shownOne;
  });
  messages.set(vscode.Uri.parse(uri), shown);
}

function hear(method, params) {
  if (method === 'textDocument/publishDiagnostics') showMessages(params);
  else if (method === 'window/logMessage') log.appendLine(params.message);
}

// --- Its life ---

function open(document) {
  if (!isOurs(document)) return;
  client.notify('textDocument/didOpen', {
    textDocument: {
      uri: document.uri.toString(),
      languageId: document.languageId,
      version: document.version,
      text: document.getText(),
    },
  });
}

async function start() {
  const settings = vscode.workspace.getConfiguration('ptxlitmus');
  const own = new Client(settings.get('path'), ['lsp', ...settings.get('options')], hear, (why) => {
    messages.clear();
    if (own !== client) return; // it was replaced, or stopped
    log.appendLine(why);
    vscode.window.showWarningMessage(`ptxlitmus: ${why}`);
  });
  client = own;
  try {
    await own.request('initialize', { processId: process.pid, rootUri: null, capabilities: CAPABILITIES });
    own.notify('initialized', {});
    vscode.workspace.textDocuments.forEach(open);
    lensesChanged.fire();
  } catch (error) {
    log.appendLine(error.message);
  }
}

async function stop() {
  const last = client;
  client = undefined;
  if (last) await last.stop();
}

async function restart() {
  await stop();
  await start();
}

// --- What the editor asks ---

// The answer to a question about a document; nothing where the server has none, or the text has changed.
async function ask(method, document, params, token) {
  if (!client) return undefined;
  try {
    return await client.request(method, { textDocument: { uri: document.uri.toString() }, ...params }, token);
  } catch {
    return undefined;
  }
}

async function provideHover(document, position, token) {
  const hover = await ask('textDocument/hover', document, { position }, token);
  return hover ? new vscode.Hover(new vscode.MarkdownString(hover.contents.value), toRange(hover.range)) : undefined;
}

async function provideCompletionItems(document, position, token) {
  const found = await ask('textDocument/completion', document, { position }, token);
  if (!found) return undefined;
  const items = found.items.map((one) => {
    const item = new vscode.CompletionItem(one.label, one.kind - 1);
    item.detail = one.detail;
    item.sortText = one.sortText;
    item.insertText = one.textEdit.newText;
    item.range = toRange(one.textEdit.range);
    return item;
  });
  return new vscode.CompletionList(items, found.isIncomplete);
}

async function provideCodeLenses(document, token) {
  const lenses = await ask('textDocument/codeLens', document, {}, token);
  return (lenses || []).map((one) => new vscode.CodeLens(toRange(one.range), one.command));
}

function toEdit({ changes }) {
  const edit = new vscode.WorkspaceEdit();
  for (const [uri, edits] of Object.entries(changes))
    edit.set(vscode.Uri.parse(uri), edits.map((one) => new vscode.TextEdit(toRange(one.range), one.newText)));
  return edit;
}

async function provideCodeActions(document, range, context, token) {
  const only = context.only ? [context.only.value] : undefined;
  const params = { range: fromRange(range), context: { diagnostics: [], only } };
  const found = await ask('textDocument/codeAction', document, params, token);
  return (found || []).map((one) => {
    const action = new vscode.CodeAction(one.title, vscode.CodeActionKind.QuickFix);
    action.found = one;
    if (one.edit) action.edit = toEdit(one.edit);
    return action;
  });
}

// A search: its failure is shown, for the user waits for it.
async function resolveCodeAction(action, token) {
  if (action.edit) return action;
  try {
    action.edit = toEdit((await client.request('codeAction/resolve', action.found, token)).edit);
  } catch (error) {
    vscode.window.showInformationMessage(`ptxlitmus: ${error.message}`);
  }
  return action;
}

// --- The extension ---

function listen() {
  return [
    vscode.workspace.onDidOpenTextDocument((document) => client && open(document)),
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (!client || !isOurs(document) || contentChanges.length === 0) return;
      client.notify('textDocument/didChange', {
        textDocument: { uri: document.uri.toString(), version: document.version },
        contentChanges: contentChanges.map(({ range, text }) => ({ range: fromRange(range), text })),
      });
    }),
    vscode.workspace.onDidCloseTextDocument((document) => {
      if (client && isOurs(document))
        client.notify('textDocument/didClose', { textDocument: { uri: document.uri.toString() } });
    }),
  ];
}

async function activate(context) {
  log = vscode.window.createOutputChannel('ptxlitmus');
  messages = vscode.languages.createDiagnosticCollection('ptxlitmus');
  lensesChanged = new vscode.EventEmitter();
  const lenses = { onDidChangeCodeLenses: lensesChanged.event, provideCodeLenses };
  context.subscriptions.push(
    log,
    messages,
    lensesChanged,
    ...listen(),
    vscode.commands.registerCommand('ptxlitmus.restart', restart),
    vscode.languages.registerHoverProvider(LANGUAGES, { provideHover }),
    vscode.languages.registerCompletionItemProvider(LANGUAGES, { provideCompletionItems }, '.'),
    vscode.languages.registerCodeLensProvider(LANGUAGES, lenses),
    vscode.languages.registerCodeActionsProvider(LANGUAGES, { provideCodeActions, resolveCodeAction }, {
      providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
    }),
  );
  await start();
}

module.exports = { activate, deactivate: stop };
