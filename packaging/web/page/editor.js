// The editor: a text area, and a copy of its text beneath it in which words have colours and faults are underlined.
import {at, make} from './elements.js';

const WORDS = /(\/\/[^\n]*|\/\*[^]*?\*\/|\(\*[^]*?\*\))|("[^"\n]*")|(%[\w.]+)|\b(PTX|exists|forall|expect|filter|locations|P\d+)\b|((?:\.[a-z_][\w:]*)+)/g;
const KINDS = ['comment', 'text', 'register', 'keyword', 'suffix'];
let faults = [];

// Returns the place in the text of a line and a column, both from 1.
function placeOf(line, column) {
  const lines = at('text').value.split('\n');
  const before = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0);
  return before + Math.min(column - 1, lines[line - 1]?.length ?? 0);
}

// Adds a piece of the text, cut where faults begin and end.
function add(into, text, from, kind) {
  const cuts = [...new Set(faults.flatMap(({begin, end}) => [begin, end]).filter((cut) => cut > from && cut < from + text.length))];
  let begin = from;
  for (const end of [...cuts.sort((a, b) => a - b), from + text.length]) {
    const fault = faults.find((one) => one.begin < end && one.end > begin), piece = text.slice(begin - from, end - from);
    into.append(kind || fault ? make('span', piece, `${kind} ${fault ? (fault.isError ? 'fault' : 'note') : ''}`.trim()) : piece);
    begin = end;
  }
}

// Shows the text of the editor as it is now.
export function paint() {
  const text = at('text').value, shown = document.createDocumentFragment();
  let done = 0;
  for (const match of text.matchAll(WORDS)) {
    add(shown, text.slice(done, match.index), done, '');
    add(shown, match[0], match.index, KINDS[match.slice(1).findIndex((group) => group !== undefined)]);
    done = match.index + match[0].length;
  }
  add(shown, text.slice(done), done, '');
  shown.append('\n');
  at('marks').replaceChildren(shown);
  follow();
}

function follow() {
  at('marks').scrollTop = at('text').scrollTop;
  at('marks').scrollLeft = at('text').scrollLeft;
}

// Replaces the text.
export function setText(text) {
  at('text').value = text;
  faults = [];
  paint();
}

// Underlines the words of messages, each with a line, a column and a length; errors (isError) more than notes.
export function setFaults(places) {
  faults = places.map(({line, column, length, isError}) => ({isError, begin: placeOf(line, column), end: placeOf(line, column + length)}));
  paint();
}

// Selects the words of a fault.
export function go({line, column, length}) {
  at('text').focus();
  at('text').setSelectionRange(placeOf(line, column), placeOf(line, column + length));
}

at('text').addEventListener('scroll', follow);
at('text').addEventListener('input', () => {
  faults = [];
  paint();
});
