#!/usr/bin/env python3
"""Uses the page for browsers as people do, in Chromium. usage: page.py FOLDER [PICTURES], with the FOLDER that ./dev web
makes; skipped (77) where it or Chromium is not there. PICTURES gets screenshots. Prints how long answers took."""
import os
import shutil
import sys
import time

from browser import LONGEST, Browser, Failure, QuietHandler, serve

MP = '''PTX typed
{
  .global .u32 data = 0;
  .global .u32 flag = 0;
}
 P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;
 st.weak.global.u32 [data], 1        | ld.acquire.gpu.global.u32 %r0, [flag] ;
 st.release.gpu.global.u32 [flag], 1 | ld.weak.global.u32 %r1, [data]        ;
exists (P1:%r0 == 1 /\\ P1:%r1 == 0)
'''
LOAD_BUFFERING = '''PTX LB
{
  .global .u32 x = 0;
  .global .u32 y = 0;
}
 P0@cta 0,gpu 0                     | P1@cta 1,gpu 0                     ;
 ld.relaxed.gpu.global.u32 %r0, [x] | ld.relaxed.gpu.global.u32 %r0, [y] ;
 st.relaxed.gpu.global.u32 [y], 1   | st.relaxed.gpu.global.u32 [x], 1   ;
exists (P0:%r0 == 1 /\\ P1:%r0 == 1)
'''
LB_COMPARED = ['allowed allowed', 'allowed allowed', 'allowed allowed', 'allowed –']
HURT = "<img/src=x/onerror=document.title='hurt'>"
HOSTILE = f'''PTX {HURT}
"{HURT}"
{{ .global .u32 x = 0; }}
 P0@cta 0,gpu 0 ;
 st.weak.global.u32 [x], 1 ;
exists (x == 1)
'''
WRONG = MP.replace('ld.acquire.gpu', 'ld.acquire.gpx')
LITTLE_MEMORY = '''{
  const {grow} = WebAssembly.Memory.prototype;
  WebAssembly.Memory.prototype.grow = function (pages) {
    if (this.buffer.byteLength + 65536 * pages > 48 * 1024 * 1024)
      throw new RangeError('no more memory'); // as at the real end
    return grow.call(this, pages);
  };
}
'''
ROWS = "[...document.querySelectorAll('#answer tbody tr')].map((row) => [...row.cells].map((cell) => cell.textContent).join(' '))"
ANSWERED = "document.getElementById('stop').disabled && document.getElementById('state').textContent.includes('ms')"
LONG = 22  # the size of a ring whose run does not end by itself here
WORKER = 'DedicatedWorker'  # how Chromium names the thread of a worker
SOON = 0.2  # seconds in which Stop has to end a run, and a classic test has to be answered


def ring(size):
    """A test with 2^size outcomes: each thread stores, then loads its neighbour's. From 22 on it takes minutes."""
    threads = range(size)
    def cells(text):
        return ' | '.join(text.format(i, (i + 1) % size) for i in threads) + ' ;\n'
    declared = ''.join(f'  .global .u32 x{i} = 0;\n' for i in threads)
    asked = ' /\\ '.join(f'P{i}:%r0 == 0' for i in threads)
    return (f'PTX ring\n{{\n{declared}}}\n' + cells('P{0}@cta {0},gpu 0') + cells('st.relaxed.gpu.global.u32 [x{0}], 1')
            + cells('ld.relaxed.gpu.global.u32 %r0, [x{1}]') + f'exists ({asked})\n')


def same(name, got, wanted):
    """Fails where what was got is not what was wanted."""
    if got != wanted:
        raise Failure(f'{name}: {got!r}, and not {wanted!r}')


def type_text(tab, text):
    """Replaces what the editor holds, as a user who selects all of it and pastes."""
    tab.value("document.getElementById('text').focus(); document.getElementById('text').select()")
    tab.call('Input.insertText', text=text)


def click(tab, name):
    tab.value(f"document.getElementById('{name}').click()")


def rows(tab, heading):
    """Returns the rows of outcomes, after the heading has come that says `heading`."""
    tab.wait(f"document.querySelector('#answer h2')?.textContent.includes({heading!r})", heading)
    return tab.value(ROWS)


def check_typing(tab, figures):
    """MP is typed, its outcomes are listed; a narrower scope adds one, soon, and the link tells all of it."""
    type_text(tab, MP)
    same('outcomes of MP', rows(tab, 'typed: forbidden'), ['0 0', '0 1', '1 1'])
    times = []
    for before, after, wanted in ((' ld.acquire.gpu', ' ld.acquire.cta', 'typed: allowed'),
                                  (' ld.acquire.cta', ' ld.acquire.gpu', 'typed: forbidden')) * 3:
        tab.wait(ANSWERED, 'an answer')
        times.append(tab.value(f'''new Promise((done) => {{
          const text = document.getElementById('text'), begun = performance.now(), answer = document.getElementById('answer');
          new MutationObserver((_, observer) => {{
            if (answer.querySelector('h2')?.textContent.includes({wanted!r})) {{
              observer.disconnect();
              done(performance.now() - begun);
            }}
          }}).observe(answer, {{childList: true, subtree: true}});
          text.focus();
          const at = text.value.indexOf({before!r});
          text.setSelectionRange(at, at + {len(before)});
          document.execCommand('insertText', false, {after!r});
        }})'''))
    figures['change of a scope to its answer'] = f'{min(times):.0f} to {max(times):.0f} ms'
    if min(times) > 1000 * SOON:
        raise Failure(f'a changed scope is answered after {min(times):.0f} ms')
    type_text(tab, MP.replace('ld.acquire.gpu', 'ld.acquire.cta'))
    same('outcomes with .cta', rows(tab, 'typed: allowed'), ['0 0', '0 1', '1 0', '1 1'])


def check_link(browser, tab):
    """The link shows in a second tab what the first one has."""
    click(tab, 'copy')
    tab.wait("location.hash.length > 1", 'a link')
    second = browser.open(tab.value('location.href'))
    same('outcomes of the second tab', rows(second, 'typed: allowed'), tab.value(ROWS))
    same('text of the second tab', second.value("document.getElementById('text').value"),
         tab.value("document.getElementById('text').value"))
    same('complaints of the second tab', second.complaints(), [])
    broken = browser.open(tab.value("location.href.slice(0, -9)"))
    broken.wait("document.getElementById('state')?.textContent.includes('link')", 'a message about a broken link')


def check_memory(browser, folder):
    """Where there is no more memory, the page says so, lists nothing, and decides the next test."""
    tab = browser.open(serve(folder, LITTLE_MEMORY))
    rows(tab, 'MP: forbidden')
    type_text(tab, ring(18))
    tab.wait("document.getElementById('state').textContent.includes('memory')", 'a message about the memory')
    same('outcomes without memory', tab.value(ROWS), [])
    type_text(tab, MP)
    same('outcomes of a test after it', rows(tab, 'typed: forbidden'), ['0 0', '0 1', '1 1'])


def stop(tab):
    """Stops the run that there is. Returns after how many seconds the page says so."""
    begun = time.monotonic()
    click(tab, 'stop')
    same('the state', tab.value("document.getElementById('state').textContent"), 'Stopped.')
    return time.monotonic() - begun


def stores(threads, count):
    """A test of so many stores to one variable, in each of so many threads: the order of all of them takes memory by its cube."""
    places = ' | '.join(f'P{i}@cta {i},gpu 0' for i in range(threads))
    lines = [' | '.join(f'st.relaxed.gpu.global.u32 [x], {k * threads + i + 1}' for i in range(threads)) for k in range(count)]
    loads = ' | '.join(['ld.relaxed.gpu.global.u32 %r0, [x]'] * threads)
    return 'PTX stores\n{ .global .u32 x = 0; }\n' + ' ;\n'.join([places, *lines, loads]) + ' ;\nexists (P0:%r0 == 1)\n'


def check_end_of_memory(tab, figures):
    """A test that needs all memory that WebAssembly may have gets a message, as soon as it is at the end; Stop ends it before."""
    with open('/proc/meminfo', encoding='utf-8') as file:
        free = int(next(line for line in file if line.startswith('MemAvailable')).split()[1]) >> 20
    if free < 4:
        print(f'the end of the memory is not tried: {free} GB are free here')
        return
    tab.value("document.getElementById('seconds').value = 600")
    times = []
    for more in range(3):
        type_text(tab, stores(4, 150 + more))
        tab.wait("document.getElementById('state').textContent === 'Running …'", 'a run')
        time.sleep(3)
        times.append(stop(tab))
    figures['Stop, while the memory grows'] = f'{1000 * min(times):.0f} to {1000 * max(times):.0f} ms'
    if min(times) > SOON:
        raise Failure(f'Stop takes {min(times):.2f} s while the memory grows')
    begun = time.monotonic()
    type_text(tab, stores(4, 149))
    tab.wait("document.getElementById('state').textContent.includes('memory')", 'a message about the memory', 600)
    figures['to the end of the memory'] = f'{time.monotonic() - begun:.0f} s'
    same('outcomes at the end of the memory', tab.value(ROWS), [])
    type_text(tab, MP)
    same('outcomes of a test after it', rows(tab, 'typed: forbidden'), ['0 0', '0 1', '1 1'])
    tab.value("document.getElementById('seconds').value = 10")


def check_stop(browser, tab, figures):
    """Stop ends a long run soon, its thread, too (Chromium gives it two seconds), and the next answer comes."""
    tab.value("document.getElementById('seconds').value = 60")
    times, ends = [], []
    for _ in range(3):
        type_text(tab, ring(LONG))
        tab.wait("!document.getElementById('stop').disabled", 'a run')
        time.sleep(1)
        same('a long run', tab.value("document.getElementById('state').textContent"), 'Running …')
        before, begun = browser.threads(WORKER), time.monotonic()
        times.append(stop(tab))
        while browser.threads(WORKER) >= before:
            if time.monotonic() > begun + LONGEST:
                raise Failure('Stop does not end the worker')
            time.sleep(0.01)
        ends.append(time.monotonic() - begun)
    figures['Stop, as the page shows it'] = f'{1000 * min(times):.0f} to {1000 * max(times):.0f} ms'
    figures['Stop to the end of the thread'] = f'{min(ends):.1f} to {max(ends):.1f} s'
    if min(times) > SOON:
        raise Failure(f'Stop takes {min(times):.2f} s')
    type_text(tab, MP)
    same('outcomes after Stop', rows(tab, 'typed: forbidden'), ['0 0', '0 1', '1 1'])


def check_many(tab):
    """Of very many outcomes some are shown, and how many there are."""
    type_text(tab, ring(12))
    shown = rows(tab, 'ring: ')
    if len(shown) > 1000 or '4,096' not in tab.value("document.getElementById('answer').textContent"):
        raise Failure(f'{len(shown)} of 4,096 outcomes are shown, or their number is not')


def check_time_limit(tab):
    """A run that ends at its limit does not list its outcomes as if they were all."""
    tab.value("document.getElementById('seconds').value = 1")
    type_text(tab, ring(LONG))
    tab.wait("document.getElementById('answer').textContent.includes('not complete')", 'the end of a run over its time')
    tab.value("document.getElementById('seconds').value = 10")


def check_hostile(tab):
    """A name that would be an element is shown as text, with each kind of answer."""
    type_text(tab, HOSTILE)
    rows(tab, f'{HURT}: always')
    for name in 'why', 'repair', 'outcomes':
        click(tab, f'tab-{name}')
        tab.wait(ANSWERED, f'the answer of {name}')
        tab.wait("document.getElementById('answer').textContent.includes('<img/src')", f'the name in {name}')
        same('elements of the name', tab.value("document.querySelectorAll('[onerror], img[src=x]').length"), 0)
    if tab.value('document.title') == 'hurt':
        raise Failure('the name of a test was run')


def check_messages(tab):
    """A message says where the fault is; a wrong test leaves no outcomes of the one before."""
    type_text(tab, WRONG)
    tab.wait("!!document.querySelector('#messages button')", 'a message')
    same('answers of a wrong test', tab.value(ROWS), [])
    same('underlined', tab.value("[...document.querySelectorAll('#marks .fault')].map((part) => part.textContent).join('')"), '.gpx')
    tab.value("document.querySelector('#messages button').click()")
    chosen = tab.value("(({value, selectionStart, selectionEnd}) => value.slice(selectionStart, selectionEnd))"
                       "(document.getElementById('text'))")
    if chosen != '.gpx':
        raise Failure(f'the message points at {chosen!r}')
    type_text(tab, 'PTX "a"\n')
    tab.wait("document.getElementById('messages').textContent.includes('hint: ')", 'the hint of a message')


def check_library(tab):
    """A test is found by a word, chosen with Enter, and compared with another model."""
    click(tab, 'library')
    tab.wait("document.getElementById('tests').open && document.querySelectorAll('#list li').length > 100", 'the library')
    tab.call('Input.insertText', text='iriw')
    first = tab.wait("document.querySelector('#list button')?.textContent", 'a test that is found')
    if 'iriw' not in tab.value("document.querySelector('#list li').textContent").lower():
        raise Failure(f'{first} is found for IRIW')
    tab.press('Enter', 13)
    tab.wait(f"document.querySelector('#answer h2')?.textContent.startsWith({first!r})", first)
    click(tab, 'library')
    tab.wait("document.getElementById('tests').open", 'the library')
    tab.press('Escape', 27)
    tab.wait("!document.getElementById('tests').open", 'the end of the list')


COMMANDS = "[...document.querySelectorAll('#lesson .run')].map((run) => [run.querySelector('code').textContent, run.querySelector('pre').textContent, run.querySelector('button')?.textContent ?? ''])"
LESSON = "document.querySelector('#lesson h2')?.textContent"


def check_page_of_course(tab):
    """Each command of a page that decides a test has a button, which gives the verdict that the page prints. Returns how many."""
    count = 0
    for i, (command, printed, button) in enumerate(tab.value(COMMANDS)):
        words = command.split()
        if not button:
            raise Failure(f'nothing happens for {command!r}')
        if len(words) != 2:
            continue
        tab.value(f"document.querySelectorAll('#lesson .run')[{i}].querySelector('button').click()")
        verdict = next(line for line in printed.splitlines() if line.startswith(f'{words[1]}: ')).split()[1]
        rows(tab, f'{words[1]}: {verdict}')
        count += 1
    return count


def check_narrow(tab, what):
    """Nothing is wider than a window of 400 pixels."""
    tab.look(400, 900)
    wide = tab.value('document.documentElement.scrollWidth')
    if wide > 400:
        raise Failure(f'{what} is {wide} pixels wide in a window of 400')


def check_course(browser, tab):
    """The pages of the course are beside the editor, their tests come into it by a click, and a link holds the page."""
    click(tab, 'course')
    tab.wait(f"{LESSON} === 'Memory scopes in ten steps'", 'the course')
    decided, pages = 0, tab.value("document.getElementById('page').length")
    for number in range(1, pages):
        title = tab.value(f"document.getElementById('page').options[{number}].textContent")
        click(tab, 'next')
        tab.wait(f"{LESSON} === {title!r}", title)
        decided += check_page_of_course(tab)
    if decided < 20:
        raise Failure(f'only {decided} tests of the course are decided')
    same('the last page leads on', tab.value("document.getElementById('next').disabled"), True)
    choose(tab, 'page', '4', 'change')
    tab.wait(f"{LESSON}.startsWith('4. ')", 'step 4')
    tab.value("[...document.querySelectorAll('#lesson button')].find((button) => button.textContent === 'Explain it here').click()")
    tab.wait("document.getElementById('answer').textContent.includes('It breaks Causality')", 'an explanation')
    tab.wait(ANSWERED, 'an answer')
    same('the text in the editor', tab.value("document.getElementById('text').value.split('\\n')[0]"), 'PTX Course-4')
    click(tab, 'copy')
    tab.wait("location.hash.length > 1", 'a link')
    second = browser.open(tab.value('location.href'))
    second.wait(f"{LESSON}?.startsWith('4. ')", 'step 4 in a second tab')
    second.wait("document.getElementById('answer').textContent.includes('It breaks Causality')", 'the explanation in a second tab')
    check_narrow(second, 'the course')
    click(tab, 'leave')
    same('the course, closed', tab.value("document.getElementById('reading').hidden"), True)
    click(tab, 'tab-outcomes')


def choose(tab, name, value, event='input'):
    """Chooses an option of a list."""
    tab.value(f"""(() => {{
      const list = document.getElementById({name!r});
      list.value = {value!r};
      list.dispatchEvent(new Event({event!r}, {{bubbles: true}}));
    }})()""")


def check_comparison(tab):
    """Two targets are compared in one table: PTX allows what a machine that delays no load does not."""
    type_text(tab, LOAD_BUFFERING)
    rows(tab, 'LB: ')
    choose(tab, 'other', 'target in-order')
    tab.wait("document.querySelectorAll('#answer h2').length === 2", 'two results')
    same('LB compared', [row.split(' ', 2)[2] for row in tab.value(ROWS)], LB_COMPARED)
    for view, here, there in (('why', 'allowed: ', 'forbidden: '), ('repair', '', 'forbidden already')):
        click(tab, f'tab-{view}')
        sides(tab, ['all of PTX', 'in-order'], [here, there])
    tab.wait(ANSWERED, 'an answer')
    choose(tab, 'other', '')
    click(tab, 'tab-outcomes')


SIDES = "[...document.querySelectorAll('.side')].map((side) => [side.querySelector('h2').textContent, side.textContent])"


def sides(tab, names, texts):
    """Waits for two answers beside each other with these names, and for a text in each."""
    tab.wait(f"""(({{length}}, found) => found.length === length && found.every(([name, text], i) =>
      name === {names!r}[i] && text.includes({texts!r}[i])))({names!r}, {SIDES})""", f'{names} with {texts}')


def check_versions(browser, tab):
    """A text is kept, and compared with what is typed then, in each tab; a link holds both."""
    type_text(tab, MP)
    rows(tab, 'typed: forbidden')
    click(tab, 'keep')
    type_text(tab, MP.replace('ld.acquire.gpu', 'ld.acquire.cta'))
    rows(tab, 'typed: allowed')
    same('two versions', tab.value(ROWS), ['0 0 allowed allowed', '0 1 allowed allowed', '1 0 allowed –', '1 1 allowed allowed'])
    same('lines that differ', tab.value("[...document.querySelectorAll('#changes del, #changes ins')].map((line) => line.textContent[0]).join('')"), '-+')
    click(tab, 'tab-why')
    sides(tab, ['this text', 'the text kept'], ['allowed: ', 'forbidden: '])
    tab.wait(f"{ANSWERED} && document.querySelectorAll('.side img').length === 2", 'two pictures')
    click(tab, 'copy')
    tab.wait("location.hash.length > 1", 'a link')
    second = browser.open(tab.value('location.href'))
    sides(second, ['this text', 'the text kept'], ['allowed: ', 'forbidden: '])
    check_narrow(second, 'a comparison')
    click(second, 'swap')
    sides(second, ['this text', 'the text kept'], ['forbidden: ', 'allowed: '])
    click(tab, 'tab-outcomes')
    type_text(tab, HOSTILE)
    rows(tab, f'{HURT}: always')
    click(tab, 'keep')
    tab.wait("document.getElementById('changed').textContent.includes('is the text kept')", 'two texts that are the same')
    type_text(tab, 'PTX "a"\n')
    tab.wait(f"document.getElementById('changes').textContent.includes({HURT!r})", 'the text kept')
    same('elements of the text kept', tab.value("document.querySelectorAll('[onerror], img[src=x]').length"), 0)
    choose(tab, 'other', '')
    tab.wait("document.getElementById('kept').hidden", 'the end of the comparison')


def check_kernel(tab):
    """The kernel that the page has races; its repair is taken over; no race is left."""
    tab.value("document.querySelector('[value=kernel]').click()")
    tab.wait("document.getElementById('answer').textContent.includes('data-race')", 'a race of the kernel')
    click(tab, 'tab-repair')
    tab.wait("!!document.querySelector('#answer > button')", 'a repair')
    tab.value("document.querySelector('#answer > button').click()")
    tab.wait("document.getElementById('answer').textContent.includes('free of data races')"
             " && !document.getElementById('answer').textContent.includes('not free')", 'a kernel without races')
    if 'st.release.gpu' not in tab.value("document.getElementById('text').value"):
        raise Failure('the repair is not in the editor')
    click(tab, 'keep')
    repaired = tab.value("document.getElementById('text').value")
    type_text(tab, repaired.replace('st.release.gpu', 'st.release.cta'))
    sides(tab, ['this text', 'the text kept'], ['data-race', 'free of data races'])
    choose(tab, 'other', 'target sc')
    sides(tab, ['all of PTX', 'sc'], ['data-race', ''])
    tab.wait(ANSWERED, 'an answer')
    choose(tab, 'other', '')
    tab.value("document.querySelector('[value=test]').click()")


def check_looks(tab, pictures):
    """Nothing is wider than a window of 400 pixels; each view has a picture."""
    type_text(tab, MP)
    for view in 'repair', 'why', 'outcomes':
        click(tab, f'tab-{view}')
        tab.wait(ANSWERED, f'the answer of {view}')
        for width, dark in (400, False), (400, True), (1280, False), (1280, True):
            tab.look(width, 900, dark)
            wide = tab.value('document.documentElement.scrollWidth')
            if wide > width:
                raise Failure(f'the page is {wide} pixels wide in a window of {width}')
            if pictures:
                time.sleep(0.2)
                tab.picture(os.path.join(pictures, f'{view}-{width}-{"dark" if dark else "light"}.png'))


def check(browser, folder, pictures):
    figures, address = {}, serve(folder)
    begun = time.monotonic()
    tab = browser.open(address)
    rows(tab, 'MP: forbidden')
    figures['first answer, the page just opened'] = f'{1000 * (time.monotonic() - begun):.0f} ms'
    check_typing(tab, figures)
    check_link(browser, tab)
    check_messages(tab)
    check_hostile(tab)
    check_looks(tab, pictures)
    check_library(tab)
    check_kernel(tab)
    check_comparison(tab)
    check_versions(browser, tab)
    check_course(browser, tab)
    check_many(tab)
    check_time_limit(tab)
    check_memory(browser, folder)
    check_end_of_memory(tab, figures)
    same('complaints', tab.complaints(), [])
    check_stop(browser, tab, figures)
    for path in QuietHandler.asked:
        if not os.path.isfile(os.path.join(folder, path.lstrip('/').split('?')[0] or 'index.html')):
            raise Failure(f'the page asks for {path}, which is not there')
    return figures


def main():
    folder, pictures = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None
    program = next(filter(None, map(shutil.which, ('chromium', 'chromium-browser', 'google-chrome'))), None)
    if not program:
        print('skipped: there is no Chromium')
        return 77
    if not os.path.exists(os.path.join(folder, 'ptxlitmus.wasm')):
        print("skipped: './dev web' has not been run")
        return 77
    try:
        with Browser(program) as browser:
            for what, figure in check(browser, folder, pictures).items():
                print(f'{what}: {figure}')
    except Failure as failure:
        print(f'page.py: {failure}')
        return 1
    return 0


if __name__ == '__main__':
    sys.exit(main())
