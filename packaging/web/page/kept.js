// The text that is kept to be compared with what is in the editor, and where the two differ.
import {at, make} from './elements.js';

const MOST = 1000; // lines of each text that are compared, besides those that both begin and end with
const AROUND = 2; // lines that are the same, shown around those that differ
let text = null;

// Returns the text that is kept, or null.
export const keptText = () => text;

// How many lines the rests of two texts from each pair of lines on have in common, in their order.
function commonFrom(a, b) {
  const table = Array.from({length: a.length + 1}, () => new Uint16Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      table[i][j] = a[i] === b[j] ? table[i + 1][j + 1] + 1 : Math.max(table[i + 1][j], table[i][j + 1]);
  return table;
}

// Returns the lines of two lists as [mark, line]: '-' is in the first alone, '+' in the second alone, ' ' in both.
function merged(a, b) {
  if (a.length > MOST || b.length > MOST)
    return [...a.map((line) => ['-', line]), ...b.map((line) => ['+', line])];
  const table = commonFrom(a, b), lines = [];
  let i = 0, j = 0;
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      lines.push([' ', a[i++]]);
      j++;
    } else if (j === b.length || (i < a.length && table[i + 1][j] >= table[i][j + 1])) {
      lines.push(['-', a[i++]]);
    } else {
      lines.push(['+', b[j++]]);
    }
  }
  return lines;
}

// Returns the lines in which two texts differ, and some around them, as [mark, line].
export function difference(before, after) {
  const a = before.split('\n'), b = after.split('\n');
  let first = 0, last = 0;
  while (first < Math.min(a.length, b.length) && a[first] === b[first])
    first++;
  while (last < Math.min(a.length, b.length) - first && a.at(-1 - last) === b.at(-1 - last))
    last++;
  const same = (lines) => lines.map((line) => [' ', line]);
  const all = [...same(a.slice(0, first)), ...merged(a.slice(first, a.length - last), b.slice(first, b.length - last)),
    ...same(last ? a.slice(-last) : [])];
  return all.filter((_, i) => all.slice(Math.max(0, i - AROUND), i + AROUND + 1).some(([mark]) => mark !== ' '));
}

// Shows how what is in the editor differs from the text that is kept.
export function showKept() {
  const isShown = text !== null && at('other').value === 'text kept', lines = isShown ? difference(text, at('text').value) : [];
  at('kept').hidden = !isShown;
  at('changes').replaceChildren(...lines.map(([mark, line]) => make(mark === '-' ? 'del' : mark === '+' ? 'ins' : 'span', `${mark} ${line}\n`)));
  at('changed').textContent = lines.length ? 'Lines of the text kept (−) and of this text (+)' : 'This text is the text kept.';
}

// Keeps a text, or, with null, none.
export function keep(kept) {
  text = kept;
  const option = at('other').querySelector('[value="text kept"]');
  option.disabled = text === null;
  if (text === null && at('other').value === 'text kept')
    at('other').value = '';
  showKept();
}
