// What the program is asked: the arguments and files of a run, by the tab and the options that are chosen.
import {at} from './elements.js';
import {keptText} from './kept.js';

export const kind = () => document.querySelector('[name=kind]:checked').value;

const words = (option, value) => (value.trim() ? [option, value.trim()] : []);
const seconds = () => String(Math.min(600, Math.max(1, Number(at('seconds').value) || 10)));

// Returns the options that say what runs, on what, and for how long.
function options({model, target}, tab) {
  const fields = tab === 'outcomes' ? ['kernel', 'grid', 'block'] : ['kernel', 'grid', 'block', 'ask']; // 'check' asks no question
  const launch = kind() === 'test' ? [] : [...fields.flatMap((id) => words(`--${id}`, at(id).value)),
    ...at('args').value.split(/\s+/).filter(Boolean).flatMap((word) => ['--arg', word])];
  return [...words('--model', model), ...words('--target', target), '--timeout', seconds(), ...launch];
}

function question(tab, {text, ...chosen}) {
  const isKernel = kind() === 'kernel', path = isKernel ? 'kernel.ptx' : 'test.litmus';
  const repaired = isKernel ? 'repaired.ptx' : 'repaired.litmus';
  const command = {
    outcomes: isKernel ? ['check', '--format', 'text'] : ['--format', 'json'],
    why: ['explain', '--format', 'text'],
    repair: ['repair', '--format', 'text', '--write', repaired, ...(isKernel && !at('ask').value.trim() ? ['--races'] : [])],
  }[tab];
  return {args: [...command, ...options(chosen, tab), path], files: {[path]: text}, wanted: [repaired], seconds: seconds()};
}

// Returns the question of a tab, and the one to compare it with where there is one, each with its name:
// [{name, args, files, wanted, seconds}...].
export function questions(tab) {
  const chosen = {text: at('text').value, model: at('model').value, target: at('target').value};
  const asked = [{...question(tab, chosen), name: ''}], [what, name] = at('other').value.split(' ');
  if (!what || (what === 'text' && keptText() === null))
    return asked;
  const names = {text: 'this text', model: chosen.model || 'the default model', target: chosen.target || 'all of PTX'};
  asked[0].name = names[what];
  asked.push({...question(tab, {...chosen, [what]: what === 'text' ? keptText() : name}), name: what === 'text' ? 'the text kept' : name});
  return asked;
}
