// The page: takes what is typed to the worker, and puts the answer into the document, as text and never as HTML.
import {fromFragment, toFragment} from './link.js';

const PAUSE_MS = 120, GRACE_MS = 1000; // before a run begins; after a time limit that a run has not kept
const at = (id) => document.getElementById(id);
const FIELDS = ['kind', 'text', 'model', 'target', 'seconds', 'kernel', 'grid', 'block', 'args'];
let worker = null, run = 0, pause, limit, tab = 'outcomes', begun = 0, picture = null;

function make(tag, text, className = '') {
  const element = document.createElement(tag);
  element.textContent = text;
  element.className = className;
  return element;
}

// --- Runs -------------------------------------------------------------------------------------

function end(text) {
  worker?.terminate();
  worker = null;
  run++;
  clearTimeout(pause);
  clearTimeout(limit);
  at('stop').disabled = true;
  at('state').textContent = text;
}

function ask(args, files) {
  if (!worker) {
    worker = new Worker('./worker.js', {type: 'module'});
    worker.onmessage = ({data}) => data.id === run && show(data);
    worker.onerror = (event) => end(`The program cannot be started: ${event.message ?? 'its files are not there'}`);
  }
  begun = performance.now();
  at('stop').disabled = false;
  at('state').textContent = 'running';
  limit = setTimeout(() => end('undecided: the time limit was reached'), 1000 * at('seconds').value + GRACE_MS);
  worker.postMessage({id: run, args, files});
}

const words = (option, value) => (value.trim() ? [option, value.trim()] : []);

function start() {
  if (!at('stop').disabled)
    end(''); // a run for what was there before
  run++;
  const isKernel = at('kind').value === 'kernel', path = isKernel ? 'kernel.ptx' : 'test.litmus';
  const common = [...words('--model', at('model').value), ...words('--target', at('target').value),
    '--timeout', at('seconds').value || '10'];
  const launch = !isKernel ? [] : [...words('--kernel', at('kernel').value), ...words('--grid', at('grid').value),
    ...words('--block', at('block').value),
    ...at('args').value.split(/\s+/).filter(Boolean).flatMap((word) => ['--arg', word])];
  const command = tab === 'why' ? ['explain', '--format', 'text'] : tab === 'repair' ? ['repair', '--format', 'text']
    : isKernel ? ['check', '--format', 'text'] : ['--format', 'json'];
  ask([...command, ...common, ...launch, path], {[path]: at('text').value});
}

function changed() {
  clearTimeout(pause);
  pause = setTimeout(start, PAUSE_MS);
}

// --- Answers ----------------------------------------------------------------------------------

function outcomes(result) {
  const part = document.createDocumentFragment();
  const heading = make('h2', `${result.test}: ${result.verdict}`, result.verdict);
  part.append(heading, make('p', `${result.kind} ${result.condition}, ${result.model}${result.target ? `, ${result.target}` : ''}`
    + `${result.flags.length ? `; ${result.flags.join(', ')}` : ''}`));
  const names = [...new Set((result.states ?? []).flatMap(Object.keys))], table = make('table', '');
  table.append(make('tr', ''));
  names.forEach((name) => table.rows[0].append(make('th', name)));
  for (const state of result.states ?? []) {
    const row = table.appendChild(make('tr', ''));
    names.forEach((name) => row.append(make('td', String(state[name] ?? ''))));
  }
  part.append(table);
  if (!result.complete)
    part.append(make('p', 'The list of outcomes is not complete.', 'error'));
  return part;
}

// Puts the cursor where a message points.
function go(line, column) {
  const text = at('text'), before = text.value.split('\n').slice(0, line - 1).join('\n').length;
  const place = before + (line > 1 ? 1 : 0) + column - 1;
  text.focus();
  text.setSelectionRange(place, place + 1);
}

function messages(err) {
  at('messages').replaceChildren(...err.split(/\n(?=\S+?:)/).filter((text) => text.trim()).map((text) => {
    const place = /^\S+?:(\d+):(\d+): /.exec(text), item = make('li', '', / error: /.test(text) ? 'error' : '');
    const shown = item.appendChild(make(place ? 'button' : 'pre', text));
    if (place)
      shown.onclick = () => go(Number(place[1]), Number(place[2]));
    return item;
  }));
}

function lines(text) {
  return text.split('\n').filter(Boolean).map((line) => JSON.parse(line));
}

function show(result) {
  const isTable = tab === 'outcomes' && at('kind').value === 'test';
  clearTimeout(limit);
  at('stop').disabled = true;
  at('state').textContent = result.isOutOfMemory ? 'undecided: the memory of the tab has ended'
    : result.fault ? `The program ended: ${result.fault}` : `${Math.round(performance.now() - begun)} ms`;
  at('answer').replaceChildren(...(isTable ? lines(result.out).filter((line) => line.verdict).map(outcomes)
    : [make('pre', result.out)]));
  messages(result.err);
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
  at('launch').hidden = at('kind').value !== 'kernel';
  start();
}

at('tabs').addEventListener('click', ({target}) => target.id && target.role !== 'tablist' && choose(target.id.slice(4)));
at('tabs').addEventListener('keydown', ({key}) => {
  const step = {ArrowRight: 1, ArrowLeft: -1}[key], all = [...at('tabs').children];
  if (step) {
    const next = all[(all.indexOf(document.activeElement) + step + all.length) % all.length];
    next.focus();
    next.click();
  }
});
at('stop').onclick = () => end('stopped');
at('copy').onclick = async () => {
  history.replaceState(null, '', `#${await toFragment(Object.fromEntries(FIELDS.map((id) => [id, at(id).value])))}`);
  await navigator.clipboard?.writeText(location.href).catch(() => {});
  at('state').textContent = 'the link is in the address bar';
};
FIELDS.forEach((id) => at(id).addEventListener('input', id === 'kind' ? () => choose('outcomes') : changed));

const library = await (await fetch('./library.json')).json();
at('tests').append(...library.map((test) => Object.assign(document.createElement('option'), {value: test.name, label: test.topic})));
function open(name) {
  const test = library.find((entry) => entry.name === name);
  if (!test)
    return;
  at('kind').value = 'test';
  at('text').value = test.text;
  choose('outcomes');
}
at('library').addEventListener('input', () => open(at('library').value));

const kept = await fromFragment(location.hash.slice(1));
if (kept) {
  FIELDS.filter((id) => id in kept).forEach((id) => { at(id).value = kept[id]; });
  choose('outcomes');
} else {
  open('MP');
}
