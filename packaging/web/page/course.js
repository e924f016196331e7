// The course: its pages beside the editor, whose tests a click puts there.
import {at, make} from './elements.js';
import {find} from './library.js';

const pages = fetch('./course.json').then((answer) => answer.json()).catch(() => []);
const COMMAND = './dev run'; // how the texts call the program
let shown = -1; // the number of the page that is shown
let load = () => {}; // what a button calls with a test and what is asked about it

function part(one) {
  if (typeof one === 'string')
    return one;
  if ('code' in one)
    return make('code', one.code);
  const element = make('strong' in one ? 'strong' : 'em' in one ? 'em' : 'a');
  element.append(...(one.strong ?? one.em ?? one.parts).map(part));
  if ('link' in one)
    lead(element, one.link);
  return element;
}

// Makes a link of an element: to a part of the course, or to another site.
function lead(element, address) {
  element.href = address.startsWith('https://') ? address : '#';
  if (element.getAttribute('href') !== '#')
    return;
  element.onclick = async (event) => {
    event.preventDefault();
    showPage((await pages).findIndex((page) => page.file === address));
  };
}

// Returns what the page does for a command of the program: a test, and a tab or options; or null where it does nothing.
async function deed(words) {
  const test = await find(words.at(-1)), explains = words[0] === 'explain';
  if (!test)
    return null;
  const targets = words[words.indexOf('--target') + 1].split(','), hasTargets = words.includes('--target');
  return {test, name: words[0] === 'show' ? 'Open in the editor' : explains ? 'Explain it here' : 'Decide it here',
    asked: {tab: explains ? 'why' : 'outcomes', model: '', target: hasTargets ? targets[0] : '',
      other: hasTargets && targets[1] ? `target ${targets[1]}` : ''}};
}

async function run({command, printed}) {
  const words = command.startsWith(COMMAND) ? command.slice(COMMAND.length).trim().split(/\s+/) : [];
  const holder = make('div', '', 'run'), head = holder.appendChild(make('div', '', 'row'));
  head.append(make('code', words.length ? `ptxlitmus ${words.join(' ')}` : command));
  const done = await deed(words);
  if (done) {
    const button = head.appendChild(make('button', done.name));
    button.type = 'button';
    button.onclick = () => load(done.test, done.asked);
  }
  holder.append(make('pre', printed));
  return holder;
}

const MADE = {
  async paragraph({parts}) {
    const element = make('p');
    element.append(...parts.map(part));
    return element;
  },
  async list({items}) {
    const element = make('ul');
    items.forEach((parts) => element.appendChild(make('li')).append(...parts.map(part)));
    return element;
  },
  async code({text}) {
    return make('pre', text);
  },
  async session({runs}) {
    const element = make('div');
    element.append(...await Promise.all(runs.map(run)));
    return element;
  },
  async answer({summary, blocks}) {
    const element = make('details');
    element.append(make('summary', summary), ...await all(blocks));
    return element;
  },
};

const all = (blocks) => Promise.all(blocks.map((block) => MADE[block.kind](block)));

// Shows a page by its number, from 0.
async function showPage(number) {
  const texts = await pages, page = texts[number];
  if (!page)
    return;
  shown = number;
  const parts = await all(page.blocks);
  if (shown !== number)
    return;
  at('page').value = String(number);
  at('back').disabled = number === 0;
  at('next').disabled = number === texts.length - 1;
  at('lesson').replaceChildren(make('h2', page.title), ...parts);
  at('lesson').scrollTop = 0;
}

function setOpen(isOpen) {
  at('reading').hidden = !isOpen;
  document.querySelector('main').classList.toggle('reads', isOpen);
  at('course').setAttribute('aria-expanded', isOpen);
}

// Returns the number of the page that is shown, as a text; '' where none is.
export const coursePage = () => (at('reading').hidden ? '' : String(shown));

// Shows the page of the course with the number, as a text, and nothing of the course where it is ''.
export async function openCourse(number) {
  const texts = await pages, chosen = Math.min(Math.max(0, Math.trunc(Number(number)) || 0), texts.length - 1);
  setOpen(number !== '' && texts.length > 0);
  if (number !== '' && texts.length)
    await showPage(chosen);
}

// Readies the course; a click on a command calls `choose` with a test and {tab, model, target, other}.
export async function startCourse(choose) {
  load = choose;
  (await pages).forEach(({title}, i) => at('page').append(new Option(title, String(i))));
  at('course').disabled = (await pages).length === 0;
  at('course').onclick = async () => {
    const isOpen = coursePage() !== '';
    await openCourse(isOpen ? '' : String(Math.max(shown, 0)));
    if (!isOpen)
      at('lesson').focus();
  };
  at('leave').onclick = () => {
    openCourse('');
    at('course').focus();
  };
  at('page').onchange = () => showPage(Number(at('page').value));
  at('back').onclick = () => showPage(shown - 1);
  at('next').onclick = () => showPage(shown + 1);
}
