// What the program prints, as elements of the document.
import {make} from './elements.js';

const MOST = 200; // rows of a table
const SAID = {'data-race': 'data race'};

function verdict(result) {
  const heading = make('h2', `${result.test}: `);
  heading.append(make('span', result.verdict, `verdict ${result.verdict}`));
  return heading;
}

function facts(result) {
  const part = make('p', '', 'facts');
  part.append(make('code', `${result.kind} ${result.condition}`), make('span', result.model));
  if (result.target)
    part.append(make('span', result.target));
  result.flags.forEach((flag) => part.append(make('span', SAID[flag] ?? flag, 'flag')));
  return part;
}

const namesOf = (states) => [...new Set(states.flatMap(Object.keys))];

function table(caption, names, headings, rows) {
  const all = make('table'), head = all.createTHead().insertRow(), body = all.createTBody();
  all.createCaption().textContent = caption;
  [...names, ...headings].forEach((text) => {
    head.append(make('th', text));
    head.lastChild.scope = 'col';
  });
  for (const cells of rows.slice(0, MOST)) {
    const row = body.insertRow();
    cells.forEach((text) => { row.insertCell().textContent = text; });
  }
  const holder = make('div', '', 'wide');
  holder.append(all);
  if (rows.length > MOST)
    holder.append(make('p', `These are the first ${MOST} of ${rows.length.toLocaleString('en')}.`, 'facts'));
  return holder;
}

const cellsOf = (names, state) => names.map((name) => String(state[name] ?? ''));

function listed(result) {
  const states = result.states ?? [], names = namesOf(states);
  if (!names.length)
    return make('p', result.complete ? 'There is no outcome to list: the test asks about no register and no variable.' : '');
  return table(`${result.complete ? '' : 'at least '}${states.length.toLocaleString('en')} ${states.length === 1 ? 'outcome' : 'outcomes'}`, names, [],
    states.map((state) => cellsOf(names, state)));
}

// A state as a text that does not depend on the order in which a test names its registers.
const keyOf = (state) => JSON.stringify(Object.entries(state).sort());

// Several results in one table: which outcomes each of them has.
function compared(results, headings) {
  const states = new Map(results.flatMap((result) => (result.states ?? []).map((state) => [keyOf(state), state])));
  const names = namesOf([...states.values()]), has = results.map((result) => new Set((result.states ?? []).map(keyOf)));
  const rows = [...states].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, state]) => [...cellsOf(names, state),
    ...results.map((result, i) => (has[i].has(key) ? 'allowed' : result.complete ? '–' : '?'))]);
  return table('Outcomes compared', names, headings, rows);
}

// Returns the elements for the results of a test, one for each of the names, which say what is compared.
export function outcomes(results, names) {
  const parts = results.flatMap((result, i) => [...(names[i] ? [make('p', names[i], 'compared')] : []), verdict(result), facts(result),
    ...(result.complete ? [] : [make('p', 'The list of outcomes is not complete.', 'error')])]);
  return [...parts, results.length > 1 ? compared(results, names) : listed(results[0])];
}

// Returns the messages in what was printed on stderr: {text, isError, place}, with the place as {line, column, length} or null.
export function readMessages(printed) {
  return printed.split(/\n(?=(?:test\.litmus|kernel\.ptx|ptxlitmus):)/).filter((text) => text.trim()).map((text) => {
    const found = /^\S+?:(\d+):(\d+): /.exec(text), carets = /^\s*(\^+)/m.exec(text);
    // the editor underlines the words at the place, so that the line need not be shown once more
    const told = carets ? text.replace(/\n[^\n]*\n\s*\^+[^\n]*/, '') : text;
    return {text: told.trimEnd().replace(/^\S+?:(\d+):(\d+): (\w+: )?/, 'Line $1: ').replace(/^\S+?: (error: |warning: )/, ''),
      isError: / error: /.test(text),
      place: found && {line: Number(found[1]), column: Number(found[2]), length: carets ? carets[1].length : 1}};
  });
}

// Returns the picture in an SVG that the program printed, as an image, or null where there is none.
export function picture(svg) {
  const end = svg.indexOf('</svg>');
  if (!svg.startsWith('<svg') || end < 0)
    return null;
  const text = svg.slice(0, end + '</svg>'.length), image = make('img');
  const read = new DOMParser().parseFromString(text, 'image/svg+xml');
  image.alt = ['title', 'desc'].map((tag) => read.querySelector(tag)?.textContent ?? '').join('. ');
  image.src = URL.createObjectURL(new Blob([text], {type: 'image/svg+xml'}));
  image.onload = () => URL.revokeObjectURL(image.src);
  return image;
}
