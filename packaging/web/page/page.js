// The page: asks the program about what is typed, and shows the answer.
import {outcomes, picture, readMessages} from './answers.js';
import {coursePage, openCourse, startCourse} from './course.js';
import {go, paint, setFaults, setText} from './editor.js';
import {at, make} from './elements.js';
import {keep, keptText, showKept} from './kept.js';
import {find, openLibrary} from './library.js';
import {fromFragment, toFragment} from './link.js';
import {kind, questions} from './questions.js';
import {start, stop} from './runs.js';

const PAUSE_MS = 100; // without a key, before a run
const FIELDS = ['text', 'model', 'target', 'other', 'seconds', 'kernel', 'grid', 'block', 'args', 'ask'];
const TABS = ['outcomes', 'why', 'repair'];
const STATES = ['', '', 'Not decided', 'Undecided', 'Not decided']; // by the program's status
const other = {test: '', kernel: ''}; // the text of the kind that is not shown
let tab = 'outcomes', shownKind = 'test', pause = 0, turn = 0;

// --- Questions --------------------------------------------------------------------------------

async function ask() {
  clearTimeout(pause);
  const mine = ++turn, asked = questions(tab), begun = performance.now(), results = [];
  at('stop').disabled = false;
  at('state').textContent = 'Running …';
  at('answer').setAttribute('aria-busy', true);
  showKept();
  for (const one of asked) {
    const result = await start(one);
    if (mine !== turn)
      return;
    results.push({...result, name: one.name});
  }
  show(results, performance.now() - begun);
  if (tab === 'why')
    await addPictures(mine, asked, results);
  if (mine === turn)
    at('stop').disabled = true;
}

const isTable = () => tab === 'outcomes' && kind() === 'test';

async function addPictures(mine, asked, results) {
  const places = [...at('answer').querySelectorAll('.side')];
  for (const [i, one] of asked.entries()) {
    if (results[i].status > 1)
      continue;
    const args = one.args.map((word) => (word === 'text' ? 'svg' : word)), result = await start({...one, args});
    if (mine !== turn)
      return;
    const image = result && picture(result.out);
    if (image && places[i])
      places[i].querySelector('h2').after(image);
    else if (image)
      at('answer').prepend(image);
  }
}

function changed() {
  clearTimeout(pause);
  pause = setTimeout(ask, PAUSE_MS);
}

// --- Answers ----------------------------------------------------------------------------------

// What a result says instead of an answer, or ''.
function faultOf(result) {
  if (result.isOutOfMemory)
    return 'Undecided: there is no memory left; a page has 2 GB at most. A smaller test needs less.';
  if (result.isOverTime)
    return 'Undecided: the time limit was reached.';
  return result.fault ? `The program has failed: ${result.fault}` : '';
}

function stateOf(results, ms) {
  const fault = results.map(faultOf).find(Boolean), status = Math.max(...results.map((result) => result.status));
  const worse = isTable() ? 'Not as the test expects' : tab === 'outcomes' ? 'Faults found' : '';
  return fault ?? [status === 1 ? worse : STATES[status] ?? '', `${Math.round(ms)} ms`].filter(Boolean).join(', ');
}

function showMessages(printed) {
  const found = readMessages(printed);
  setFaults(found.filter(({place}) => place).map(({place, isError}) => ({...place, isError})));
  at('messages').replaceChildren(...found.map(({text, isError, place}) => {
    const item = make('li', '', isError ? 'error' : ''), shown = item.appendChild(make(place ? 'button' : 'pre', text));
    if (place)
      shown.onclick = () => go(place);
    return item;
  }));
}

function useButton(text) {
  const button = make('button', 'Use this repair');
  button.type = 'button';
  button.onclick = () => {
    setText(text);
    choose('outcomes');
    at('text').focus();
  };
  return button;
}

function answer(parts) {
  at('answer').removeAttribute('aria-busy');
  at('answer').replaceChildren(...parts);
}

// The answer of a run that is not a table: a repair to use, and what the program printed.
function textOf({out, files}) {
  const [repaired] = Object.values(files);
  return [...(repaired ? [useButton(repaired)] : []), ...(out.trim() ? [make('pre', out)] : [])];
}

// Two answers, each with its name, beside each other where there is room.
function sides(results) {
  const pair = make('div', '', 'pair');
  pair.append(...results.map((result) => {
    const side = make('section', '', 'side'), fault = faultOf(result);
    side.append(make('h2', result.name), ...textOf(result), ...(fault ? [make('p', fault, 'error')] : []));
    return side;
  }));
  return [pair];
}

function tableOf(results) {
  const read = results.flatMap(({out, name}) => out.split('\n').filter(Boolean).map((line) => JSON.parse(line)).filter((line) => line.verdict)
    .map((result) => ({result, name})));
  return read.length ? outcomes(read.map(({result}) => result), read.map(({name}) => name)) : [];
}

// What the runs printed on stderr: of the text in the editor as messages at their places, and what only the text kept has to say.
function messagesOf([first, second]) {
  if (!second)
    return [first.err, ''];
  if (at('other').value === 'text kept')
    return [first.err, second.err];
  return [first.err + (second.err === first.err ? '' : second.err), ''];
}

function show(results, ms) {
  at('state').textContent = stateOf(results, ms);
  document.querySelector('main').classList.toggle('compares', results.length > 1 && !isTable());
  const [here, kept] = messagesOf(results);
  const parts = isTable() ? tableOf(results) : results.length > 1 ? sides(results) : textOf(results[0]);
  answer(kept ? [...parts, make('p', 'Of the text kept:', 'compared'), make('pre', kept)] : parts);
  showMessages(here);
}

// --- Controls ---------------------------------------------------------------------------------

function choose(name) {
  tab = name;
  for (const button of at('tabs').children) {
    const isChosen = button.id === `tab-${name}`;
    button.setAttribute('aria-selected', isChosen);
    button.tabIndex = isChosen ? 0 : -1;
  }
  at('answer').setAttribute('aria-labelledby', `tab-${name}`);
  answer([]);
  ask();
}

function setKind(name) {
  if (name !== shownKind)
    keep(null);
  document.querySelector(`[name=kind][value=${name}]`).checked = true;
  shownKind = name;
  at('launch').hidden = name === 'test';
  at('tab-outcomes').textContent = name === 'test' ? 'Outcomes' : 'Check';
}

async function switchKind() {
  other[shownKind] = at('text').value;
  const name = kind();
  if (name === 'kernel' && !other.kernel)
    other.kernel = await (await fetch('./kernel.ptx')).text();
  if (name === 'test' && !other.test)
    other.test = (await find('MP'))?.text ?? '';
  setKind(name);
  setText(other[name]);
  choose('outcomes');
}

function use(test, asked = {tab: 'outcomes'}) {
  setKind('test');
  setText(test.text);
  ['model', 'target', 'other'].filter((id) => id in asked).forEach((id) => { at(id).value = asked[id]; });
  choose(asked.tab);
}

async function copyLink() {
  const state = {kind: kind(), tab, course: coursePage(), ...Object.fromEntries(FIELDS.map((id) => [id, at(id).value]))};
  if (state.other === 'text kept')
    state.kept = keptText();
  history.replaceState(null, '', `#${await toFragment(state)}`);
  const isCopied = await navigator.clipboard?.writeText(location.href).then(() => true, () => false);
  at('state').textContent = isCopied ? 'The link is copied.' : 'The link is in the address bar.';
}

// Shows what the link holds; without one, a test to begin with.
async function openLink() {
  const fragment = location.hash.slice(1), kept = fragment && await fromFragment(fragment);
  if (kept) {
    setKind(kept.kind === 'kernel' ? 'kernel' : 'test');
    keep(kept.kept ?? null);
    FIELDS.filter((id) => id in kept).forEach((id) => { at(id).value = kept[id]; });
    setText(kept.text ?? '');
    await openCourse(kept.course ?? '');
    choose(TABS.includes(kept.tab) ? kept.tab : 'outcomes');
  } else if (fragment) {
    at('state').textContent = 'The link cannot be read: a part of it is missing.';
  } else {
    const first = await find('MP');
    if (first)
      use(first);
    else
      at('state').textContent = 'The library cannot be loaded.';
  }
}

// Asks the program which models and targets there are.
async function fillLists() {
  for (const what of ['model', 'target']) {
    const result = await start({args: [`--list-${what}s`], files: {}, wanted: [], seconds: 10});
    const names = (result?.out ?? '').split('\n').filter((line) => /^\S/.test(line)).map((line) => line.split(/\s+/)[0]);
    const group = at('other').appendChild(make('optgroup'));
    group.label = {model: 'Models', target: 'Targets'}[what];
    names.forEach((name) => {
      at(what).append(new Option(name, name));
      group.append(new Option(name, `${what} ${name}`));
    });
  }
}

at('tabs').addEventListener('click', ({target}) => target.role === 'tab' && choose(target.id.slice('tab-'.length)));
at('tabs').addEventListener('keydown', ({key}) => {
  const step = {ArrowRight: 1, ArrowLeft: -1}[key], all = [...at('tabs').children];
  if (step) {
    const next = all[(all.indexOf(document.activeElement) + step + all.length) % all.length];
    next.focus();
    next.click();
  }
});
at('stop').onclick = () => {
  turn++;
  stop();
  answer([]); // it was one to what was there before
  showMessages('');
  at('stop').disabled = true;
  at('state').textContent = 'Stopped.';
};
at('copy').onclick = copyLink;
at('library').onclick = () => openLibrary(use);
at('keep').onclick = () => {
  keep(at('text').value);
  at('other').value = 'text kept';
  ask();
};
at('swap').onclick = () => {
  const text = at('text').value;
  setText(keptText());
  keep(text);
  ask();
};
FIELDS.forEach((id) => at(id).addEventListener('input', changed));
document.querySelectorAll('[name=kind]').forEach((radio) => radio.addEventListener('change', switchKind));
addEventListener('hashchange', openLink);

await Promise.all([fillLists(), startCourse(use)]);
paint();
await openLink();
