// The extension for Visual Studio Code with the program's server, and in place of the editor what the extension uses of its
// interface: it is asked as the editor asks.
//
// usage: node vscode.js EXTENSION_FOLDER PROGRAM
'use strict';
const fs = require('fs');
const Module = require('module');
const path = require('path');

const [extensionFolder, program] = process.argv.slice(2).map((one) => path.resolve(one));
let checked = 0, failed = 0;

function same(what, found, expected) {
  checked++;
  if (JSON.stringify(found) === JSON.stringify(expected)) return;
  failed++;
  console.log(`FAIL ${what}:\n  expected ${JSON.stringify(expected)}\n  found    ${JSON.stringify(found)}`);
}

// --- The editor ---

class Position {
  constructor(line, character) { Object.assign(this, { line, character }); }
}
class Range {
  constructor(a, b, c, d) { this.start = new Position(a, b); this.end = new Position(c, d); }
  toJSON() { return [this.start, this.end]; } // as the editor's does, which is not LSP's form
}
class Uri {
  constructor(text) { this.text = text; }
  static parse(text) { return new Uri(text); }
  toString() { return this.text; }
}
class Diagnostic {
  constructor(range, message, severity) { Object.assign(this, { range, message, severity }); }
}
class Emitter {
  constructor() {
    this.heard = [];
    this.event = (listener) => { this.heard.push(listener); return { dispose() {} }; };
  }
  fire(value) { return this.heard.map((listener) => listener(value)); }
  dispose() {}
}
class TextDocument {
  constructor(uri, text) { Object.assign(this, { uri: new Uri(uri), text, version: 1, languageId: 'litmus' }); }
  getText() { return this.text; }
}

const opened = new Emitter(), changed = new Emitter(), closed = new Emitter();
const editor = { documents: [], messages: new Map(), providers: {}, commands: {}, log: [], shown: [] };
const vscode = {
  Position, Range, Uri, Diagnostic,
  EventEmitter: Emitter,
  Hover: class { constructor(contents, range) { Object.assign(this, { contents, range }); } },
  MarkdownString: class { constructor(value) { this.value = value; } },
  CompletionItem: class { constructor(label, kind) { Object.assign(this, { label, kind }); } },
  CompletionList: class { constructor(items, isIncomplete) { Object.assign(this, { items, isIncomplete }); } },
  CodeLens: class { constructor(range, command) { Object.assign(this, { range, command }); } },
  CodeAction: class { constructor(title, kind) { Object.assign(this, { title, kind }); } },
  CodeActionKind: { QuickFix: { value: 'quickfix' } },
  TextEdit: class { constructor(range, newText) { Object.assign(this, { range, newText }); } },
  WorkspaceEdit: class {
    constructor() { this.edits = new Map(); }
    set(uri, edits) { this.edits.set(uri.toString(), edits); }
  },
  languages: {
    match: (selectors, document) => (selectors.some(({ language }) => language === document.languageId) ? 10 : 0),
    createDiagnosticCollection: () => ({
      set: (uri, all) => { editor.messages.set(uri.toString(), all); heard.fire(); },
      clear: () => editor.messages.clear(),
    }),
    registerHoverProvider: (_, one) => { editor.providers.hover = one; return { dispose() {} }; },
    registerCompletionItemProvider: (_, one) => { editor.providers.completion = one; return { dispose() {} }; },
    registerCodeLensProvider: (_, one) => { editor.providers.lens = one; return { dispose() {} }; },
    registerCodeActionsProvider: (_, one) => { editor.providers.action = one; return { dispose() {} }; },
  },
  workspace: {
    get textDocuments() { return editor.documents; },
    getConfiguration: () => ({ get: (name) => ({ path: editor.program, options: ['--timeout', '20'] })[name] }),
    onDidOpenTextDocument: opened.event, onDidChangeTextDocument: changed.event, onDidCloseTextDocument: closed.event,
  },
  window: {
    createOutputChannel: () => ({ appendLine: (line) => editor.log.push(line) }),
    showWarningMessage: (text) => { editor.shown.push(text); heard.fire(); },
    showInformationMessage: (text) => editor.shown.push(text),
  },
  commands: { registerCommand: (name, call) => { editor.commands[name] = call; return { dispose() {} }; } },
};
const heard = new Emitter();
const load = Module._load;
Module._load = (name, ...rest) => (name === 'vscode' ? vscode : load(name, ...rest));

// Waits until something holds, which is looked at whenever the extension has shown something.
function until(what, holds) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`waited in vain for ${what}`)), 120000);
    const look = () => { if (holds()) { clearTimeout(timer); resolve(); } };
    heard.event(look);
    look();
  });
}

const never = { onCancellationRequested: () => {} };

// --- What is done in it ---

async function main() {
  const text = fs.readFileSync('litmus/library/message-passing/MP.litmus', 'utf8').replace('st.release', 'st.relaxd');
  const uri = 'file:///no/such/mp.litmus';
  const document = new TextDocument(uri, text);
  const other = Object.assign(new TextDocument('file:///no/such/x.c', 'int x;'), { languageId: 'c' });
  const subscriptions = [];
  const extension = require(extensionFolder);
  editor.program = program;
  editor.documents = [document, other];
  await extension.activate({ subscriptions });
  await until('messages', () => editor.messages.get(uri)?.length > 0);
  same('a mistake', editor.messages.get(uri).map(({ range, severity, message }) => [range, severity, message]),
    [[new Range(8, 3, 8, 10), 0, "unknown qualifier '.relaxd'\nhint: did you mean '.relaxed'?"]]);
  same('only of its own languages', [...editor.messages.keys()], [uri]);

  const context = { only: undefined };
  const [word] = await editor.providers.action.provideCodeActions(document, new Range(8, 5, 8, 5), context, never);
  same('a word that is meant', [word.title, await editor.providers.action.resolveCodeAction(word, never) === word,
    word.edit.edits.get(uri)], ["Change to '.relaxed'", true, [{ range: new Range(8, 3, 8, 10), newText: '.relaxed' }]]);

  const edit = { range: new Range(8, 3, 8, 10), text: '.relaxed' };
  document.text = text.replace('.relaxd', '.relaxed');
  document.version = 2;
  changed.fire({ document, contentChanges: [edit] });
  const lenses = await editor.providers.lens.provideCodeLenses(document, never);
  same('the outcome', lenses.map(({ range, command }) => [range.start.line, command.title]),
    [[9, 'allowed: 1 of 4 outcomes satisfies the condition; not as expected; flags: data-race']]);
  const hover = await editor.providers.hover.provideHover(document, new Position(7, 42), never);
  same('a word', hover.contents.value.split('\n')[0], '.acquire is a memory order');
  const completion = await editor.providers.completion.provideCompletionItems(document, new Position(7, 42), never);
  same('completions', completion.items.slice(0, 2).map(({ label, range }) => [label, range.start.character]),
    [['.relaxed', 41], ['.acquire', 41]]);
  const actions = await editor.providers.action.provideCodeActions(document, new Range(9, 0, 9, 0), context, never);
  same('a repair', actions.map(({ title }) => title), ['Forbid the outcome of MP: the least changes']);
  const resolved = await editor.providers.action.resolveCodeAction(actions[0], never);
  same('its edit', resolved.edit.edits.get(uri).map(({ range, newText }) => [range.start.line, newText.slice(0, 12)]),
    [[8, ' st.release.']]);

  await editor.commands['ptxlitmus.restart']();
  same('after a restart', (await editor.providers.lens.provideCodeLenses(document, never)).length, 1);
  closed.fire(document);
  await extension.deactivate();
  same('nothing after its end', await editor.providers.hover.provideHover(document, new Position(7, 42), never), undefined);
  same('nothing to tell the user meanwhile', editor.shown, []);

  editor.program = '/no/such/program';
  await extension.activate({ subscriptions });
  await until('a warning', () => editor.shown.length > 0);
  same('a program that is not there', editor.shown[0].startsWith('ptxlitmus: /no/such/program cannot be started'), true);
  await extension.deactivate();
}

main().catch((error) => { console.log(`FAIL ${error.stack}`); failed++; }).finally(() => {
  console.log(`${checked} checks, ${failed} failed`);
  process.exit(failed || !checked ? 1 : 0);
});
