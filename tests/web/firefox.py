#!/usr/bin/env python3
"""Uses the page for browsers in Firefox, driven by its Marionette protocol. usage: firefox.py FOLDER [PICTURE], with the
FOLDER that ./dev web makes; skipped (77) where it or Firefox is not there. PICTURE gets a screenshot."""
import base64
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

from browser import LONGEST, Failure, serve
from page import ANSWERED, LOAD_BUFFERING, LONG, MP, SOON, click, ring, rows, same, stop

PREFERENCES = {'marionette.port': 0, 'browser.shell.checkDefaultBrowser': False, 'datareporting.policy.dataSubmissionEnabled': False,
               'app.update.auto': False, 'network.captive-portal-service.enabled': False}


class Firefox:
    """A Firefox without a window, with a profile of its own, and its only tab. Use it with `with`: at the end it is ended."""

    def __init__(self, program):
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        with open(os.path.join(self.folder.name, 'user.js'), 'w', encoding='utf-8') as file:
            file.writelines(f'user_pref({json.dumps(name)}, {json.dumps(value)});\n' for name, value in PREFERENCES.items())
        self.process = subprocess.Popen([program, '--headless', '--no-remote', '--marionette', '--profile', self.folder.name],
                                        env=dict(os.environ, HOME=self.folder.name), start_new_session=True,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.count, self.waiting = 0, b''

    def __enter__(self):
        try:
            self.socket = socket.create_connection(('127.0.0.1', self.port()), timeout=LONGEST)
            self.receive()  # who it is
            self.call('WebDriver:NewSession')
            self.call('WebDriver:SetTimeouts', script=1000 * LONGEST)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.folder.cleanup()

    def port(self):
        """Returns the port at which it listens, which it writes into its profile."""
        until = time.monotonic() + LONGEST
        while time.monotonic() < until and self.process.poll() is None:
            try:
                with open(os.path.join(self.folder.name, 'MarionetteActivePort'), encoding='utf-8') as file:
                    return int(file.read())
            except (FileNotFoundError, ValueError):
                time.sleep(0.1)
        raise Failure('Firefox does not start')

    def receive(self):
        """Returns the next message: its length, a colon, and so much JSON."""
        while True:
            length, colon, rest = self.waiting.partition(b':')
            if colon and len(rest) >= int(length):
                self.waiting = rest[int(length):]
                return json.loads(rest[:int(length)])
            part = self.socket.recv(1 << 16)
            if not part:
                raise Failure('Firefox has ended')
            self.waiting += part

    def call(self, command, **parameters):
        """Calls a command. Returns its result."""
        self.count += 1
        message = json.dumps([0, self.count, command, parameters]).encode()
        self.socket.sendall(b'%d:%s' % (len(message), message))
        _, _, error, result = self.receive()
        if error:
            raise Failure(f'{command}: {error["message"]}')
        return result

    def open(self, address):
        """Opens an address in the tab."""
        self.call('WebDriver:Navigate', url='about:blank')  # so that a new fragment loads the page, too
        self.call('WebDriver:Navigate', url=address)

    def value(self, expression):
        """Returns the value of an expression of JavaScript, after it has been awaited."""
        return self.call('WebDriver:ExecuteScript', script=f'return {expression}', args=[])['value']

    def wait(self, expression, what):
        """Waits until the expression holds. Returns its value."""
        until = time.monotonic() + LONGEST
        while time.monotonic() < until:
            value = self.value(expression)
            if value:
                return value
            time.sleep(0.02)
        raise Failure(f'{what}: not so after {LONGEST} s; the page says: {self.value("document.body.innerText")[-1500:]}')

    def picture(self, path):
        """Writes what is seen as a PNG."""
        with open(path, 'wb') as file:
            file.write(base64.b64decode(self.call('WebDriver:TakeScreenshot', full=False)['value']))


def set_text(tab, text):
    """Replaces what the editor holds."""
    tab.value(f"""(() => {{
      const text = document.getElementById('text');
      text.value = {json.dumps(text)};
      text.dispatchEvent(new Event('input', {{bubbles: true}}));
      return true;
    }})()""")


def check_answers(tab):
    """A changed scope changes the outcomes; the picture comes; a target is compared; a kernel races."""
    set_text(tab, MP)
    same('outcomes of MP', rows(tab, 'typed: forbidden'), ['0 0', '0 1', '1 1'])
    set_text(tab, MP.replace('ld.acquire.gpu', 'ld.acquire.cta'))
    same('outcomes with .cta', rows(tab, 'typed: allowed'), ['0 0', '0 1', '1 0', '1 1'])
    click(tab, 'tab-why')
    tab.wait("document.querySelector('#answer img')?.naturalWidth > 100", 'a picture')
    click(tab, 'tab-outcomes')
    set_text(tab, LOAD_BUFFERING)
    tab.value("document.getElementById('other').value = 'target in-order'")
    set_text(tab, LOAD_BUFFERING)
    tab.wait("document.querySelectorAll('#answer h2').length === 2", 'two results')
    tab.value("document.getElementById('other').value = ''")
    tab.value("document.querySelector('[value=kernel]').click()")
    tab.wait("document.getElementById('answer').textContent.includes('data-race')", 'a race of the kernel')
    tab.value("document.querySelector('[value=test]').click()")
    rows(tab, 'LB: ')


def check_course_and_link(tab):
    """The course opens, and a link holds its page and the test."""
    click(tab, 'course')
    tab.wait("document.querySelector('#lesson h2')?.textContent === 'Memory scopes in ten steps'", 'the course')
    click(tab, 'next')
    tab.wait("document.querySelector('#lesson .run button')", 'step 1')
    tab.value("document.querySelector('#lesson .run button').click()")
    rows(tab, 'Course-1: always')
    click(tab, 'copy')
    tab.wait("location.hash.length > 1", 'a link')
    tab.open(tab.value('location.href'))
    rows(tab, 'Course-1: always')
    tab.wait("document.querySelector('#lesson h2')?.textContent.startsWith('1. ')", 'step 1 by the link')


def check_stop(tab):
    """Stop ends a long run soon. Returns after how many seconds the page says so."""
    set_text(tab, ring(LONG))
    tab.wait("document.getElementById('state').textContent === 'Running …'", 'a run')
    time.sleep(1)
    took = stop(tab)
    set_text(tab, MP)
    same('outcomes after Stop', rows(tab, 'typed: forbidden'), ['0 0', '0 1', '1 1'])
    return took


def check(tab, folder, picture):
    tab.open(serve(folder))
    rows(tab, 'MP: forbidden')
    check_answers(tab)
    check_course_and_link(tab)
    tab.wait(ANSWERED, 'an answer')
    if picture:
        tab.picture(picture)
    tab.value("document.getElementById('seconds').value = 60")
    times = [check_stop(tab) for _ in range(3)]
    print(f'Stop, as the page shows it: {1000 * min(times):.0f} to {1000 * max(times):.0f} ms')
    if min(times) > SOON:
        raise Failure(f'Stop takes {min(times):.2f} s')


def main():
    folder, picture = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None
    program = next(filter(None, map(shutil.which, ('firefox-esr', 'firefox'))), None)
    if not program:
        print('skipped: there is no Firefox')
        return 77
    if not os.path.exists(os.path.join(folder, 'ptxlitmus.wasm')):
        print("skipped: './dev web' has not been run")
        return 77
    try:
        with Firefox(program) as tab:
            check(tab, folder, picture)
    except Failure as failure:
        print(f'firefox.py: {failure}')
        return 1
    return 0


if __name__ == '__main__':
    sys.exit(main())
