// The page: asks the program about what is typed, and shows the answer.
import {outcomes, picture, readMessages} from './answers.js';
import {go, paint, setFaults, setText} from './editor.js';
import {at, make} from './elements.js';
import {find, openLibrary} from './library.js';
import {fromFragment, toFragment} from './link.js';
import {start, stop} from './runs.js';

const PAUSE_MS = 100; // without a key, before a run
const FIELDS = ['text', 'model', 'target', 'other', 'seconds', 'kernel', 'grid', 'block', 'args', 'ask'];
const STATES = ['', '', 'Not decided', 'Undecided', 'Not decided']; // by the program's status
const other = {test: '', kernel: ''}; // the text of the kind that is not shown
let tab = 'outcomes', shownKind = 'test', pause = 0, turn = 0;

const kind = () => document.querySelector('[name=kind]:checked').value;

// --- Questions --------------------------------------------------------------------------------

const words = (option, value) => (value.trim() ? [option, value.trim()] : []);

// Returns the options that say what runs, on what, and for how long; `instead` has a model or a target to compare with.
function options(instead) {
  const chosen = {model: at('model').value, target: at('target').value, ...instead};
  const launch = kind() === 'test' ? [] : [...['kernel', 'grid', 'block', 'ask'].flatMap((id) => words(`--${id}`, at(id).value)),
    ...at('args').value.split(/\s+/).filter(Boolean).flatMap((word) => ['--arg', word])];
  return [...words('--model', chosen.model), ...words('--target', chosen.target), '--timeout', seconds(), ...launch];
}

const seconds = () => String(Math.min(600, Math.max(1, Number(at('seconds').value) || 10)));

function question(instead = {}) {
  const isKernel = kind() === 'kernel', path = isKernel ? 'kernel.ptx' : 'test.litmus';
  const repaired = isKernel ? 'repaired.ptx' : 'repaired.litmus';
  const command = {
    outcomes: isKernel ? ['check', '--format', 'text'] : ['--format', 'json'],
    why: ['explain', '--format', 'text'],
    repair: ['repair', '--format', 'text', '--write', repaired, ...(isKernel && !at('ask').value.trim() ? ['--races'] : [])],
  }[tab];
  const rest = options(instead).filter((word, i, all) => !(isKernel && tab === 'outcomes' && (word === '--ask' || all[i - 1] === '--ask')));
  return {args: [...command, ...rest, path], files: {[path]: at('text').value}, wanted: [repaired], seconds: seconds()};
}

async function ask() {
  clearTimeout(pause);
  const mine = ++turn, asked = question(), begun = performance.now(), [what, name] = at('other').value.split(' ');
  at('stop').disabled = false;
  at('state').textContent = 'Running …';
  at('answer').setAttribute('aria-busy', true);
  at('other').disabled = !isTable();
  let result = await start(asked);
  if (mine === turn && what && isTable() && result?.status < 2)
    result = joined(result, await start(question({[what]: name})));
  if (mine !== turn)
    return;
  show(result, performance.now() - begun);
  if (tab === 'why' && result.status < 2)
    await addPicture(mine, asked);
  if (mine === turn)
    at('stop').disabled = true;
}

const isTable = () => tab === 'outcomes' && kind() === 'test';

// Two runs as one: what both print, and how the worse of them has ended.
const joined = (one, two) => two && {...two, out: one.out + two.out, err: one.err + two.err, status: Math.max(one.status, two.status)};

async function addPicture(mine, asked) {
  const args = asked.args.map((word) => (word === 'text' ? 'svg' : word)), result = await start({...asked, args});
  const image = mine === turn && result && picture(result.out);
  if (image)
    at('answer').prepend(image);
}

function changed() {
  clearTimeout(pause);
  pause = setTimeout(ask, PAUSE_MS);
}

// --- Answers ----------------------------------------------------------------------------------

function stateOf(result, ms) {
  if (result.isOutOfMemory)
    return 'Undecided: the memory that a tab may have has ended.';
  if (result.isOverTime)
    return 'Undecided: the time limit was reached.';
  if (result.fault)
    return `The program has failed: ${result.fault}`;
  const worse = isTable() ? 'Not as the test expects' : tab === 'outcomes' ? 'Faults found' : '';
  return [result.status === 1 ? worse : STATES[result.status] ?? '', `${Math.round(ms)} ms`].filter(Boolean).join(', ');
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

function show(result, ms) {
  at('state').textContent = stateOf(result, ms);
  const parts = [];
  if (isTable()) {
    const results = result.out.split('\n').filter(Boolean).map((line) => JSON.parse(line)).filter((line) => line.verdict);
    parts.push(...(results.length ? outcomes(results) : []));
  } else if (result.out.trim()) {
    parts.push(make('pre', result.out));
  }
  const [repaired] = Object.values(result.files);
  if (repaired)
    parts.unshift(useButton(repaired));
  answer(parts);
  showMessages(result.err);
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

function use(test) {
  setKind('test');
  setText(test.text);
  choose('outcomes');
}

async function copyLink() {
  const state = {kind: kind(), ...Object.fromEntries(FIELDS.map((id) => [id, at(id).value]))};
  history.replaceState(null, '', `#${await toFragment(state)}`);
  const isCopied = await navigator.clipboard?.writeText(location.href).then(() => true, () => false);
  at('state').textContent = isCopied ? 'The link is copied.' : 'The link is in the address bar.';
}

// Shows what the link holds; without one, a test to begin with.
async function openLink() {
  const fragment = location.hash.slice(1), kept = fragment && await fromFragment(fragment);
  if (kept) {
    setKind(kept.kind === 'kernel' ? 'kernel' : 'test');
    FIELDS.filter((id) => id in kept).forEach((id) => { at(id).value = kept[id]; });
    setText(kept.text ?? '');
    choose('outcomes');
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
    names.forEach((name) => {
      at(what).append(new Option(name, name));
      at('other').append(new Option(name, `${what} ${name}`));
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
at('library').onclick = () => openLibrary('', use);
at('course').onclick = () => openLibrary('course', use);
FIELDS.forEach((id) => at(id).addEventListener('input', changed));
document.querySelectorAll('[name=kind]').forEach((radio) => radio.addEventListener('change', switchKind));
addEventListener('hashchange', openLink);

await fillLists();
paint();
await openLink();
