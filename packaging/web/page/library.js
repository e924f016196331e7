// The list of included tests: by topic, with a search.
import {at, make} from './elements.js';

const MOST = 200; // rows that are shown
const tests = fetch('./library.json').then((answer) => answer.json()).catch(() => []); // the editor works without them
let all = [];

// Returns what a test says of itself: its first line in quotation marks.
const sentence = (test) => /^"(.*)"/m.exec(test.text)?.[1] ?? '';

function list(choose) {
  const words = at('search').value.toLowerCase().split(/\s+/).filter(Boolean), topic = at('topic').value;
  const found = all.filter((test) => (!topic || test.topic === topic)
    && words.every((word) => `${test.topic} ${test.name} ${sentence(test)}`.toLowerCase().includes(word)));
  found.sort((a, b) => a.topic.localeCompare(b.topic) || a.name.localeCompare(b.name, 'en', {numeric: true}));
  at('found').textContent = found.length > MOST ? `${found.length} tests, the first ${MOST} shown` : `${found.length} tests`;
  at('list').replaceChildren(...found.slice(0, MOST).map((test) => {
    const item = make('li'), button = item.appendChild(make('button', test.name));
    button.type = 'button';
    button.onclick = () => {
      at('tests').close();
      choose(test);
    };
    item.append(make('span', sentence(test)));
    return item;
  }));
}

// Returns the test with the name, or undefined.
export async function find(name) {
  return (await tests).find((test) => test.name === name);
}

// Shows the list, and calls `choose` with the test that is chosen.
export async function openLibrary(choose) {
  all = await tests;
  if (at('topic').length === 1)
    [...new Set(all.map((test) => test.topic))].forEach((name) => at('topic').append(make('option', name)));
  at('topic').value = '';
  at('search').value = '';
  at('search').oninput = at('topic').oninput = () => list(choose);
  at('search').onkeydown = (event) => {
    if (event.key === 'Enter') {
      event.preventDefault(); // it would close the list
      at('list').querySelector('button')?.click();
    }
  };
  list(choose);
  at('tests').showModal();
  at('search').focus();
}
