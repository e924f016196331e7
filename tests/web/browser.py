"""Chromium without a window, driven over the pipe of its DevTools protocol, and a server of the files of a folder. For
page.py; needs only Python's standard library."""
import base64
import fcntl
import functools
import http.server
import json
import os
import select
import signal
import subprocess
import tempfile
import threading
import time

LONGEST = 60  # seconds that anything may take before a check fails


class Failure(Exception):
    """A check that does not hold."""


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    """Sends files, the worker with the script `before` in front, and keeps the path of each request in `asked`."""
    asked = []

    def __init__(self, *arguments, before, **named):
        self.before = before
        super().__init__(*arguments, **named)

    def log_message(self, *_):
        pass

    def do_GET(self):
        self.asked.append(self.path)
        if self.before and self.path == '/worker.js':
            self.send_worker()
        else:
            super().do_GET()

    def send_worker(self):
        with open(self.translate_path(self.path), encoding='utf-8') as file:
            text = (self.before + file.read()).encode()
        self.send_response(200)
        self.send_header('Content-Type', 'text/javascript')
        self.send_header('Content-Length', str(len(text)))
        self.end_headers()
        self.wfile.write(text)


def serve(folder, before=''):
    """Serves the folder at a free port, the worker with a script `before` it. Returns the address; the server ends with the program."""
    handler = functools.partial(QuietHandler, directory=folder, before=before)
    server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f'http://127.0.0.1:{server.server_port}/'


def above_standard(descriptor):
    """Returns a copy of the descriptor from 10 on, so that the shell can move it to 3 or 4."""
    copy = fcntl.fcntl(descriptor, fcntl.F_DUPFD, 10)
    os.close(descriptor)
    return copy


class Browser:
    """A Chromium with a profile of its own. Use it with `with`: at the end it is ended."""

    def __init__(self, program):
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        its_input, self.to = os.pipe()
        self.answers, its_output = os.pipe()
        ends = above_standard(its_input), above_standard(its_output)
        self.process = subprocess.Popen(
            ['bash', '-c', f'exec "$@" 3<&{ends[0]} 4>&{ends[1]}', 'bash', program, '--headless', '--no-sandbox',
             '--disable-gpu', '--hide-scrollbars', '--remote-debugging-pipe', f'--user-data-dir={self.folder.name}'],
            pass_fds=ends, start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for end in ends:
            os.close(end)
        self.waiting, self.count, self.events = b'', 0, []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.folder.cleanup()

    def receive(self, until):
        """Returns the next message, an object; fails after the time `until`."""
        while b'\0' not in self.waiting:
            if not select.select([self.answers], [], [], max(0, until - time.monotonic()))[0]:
                raise Failure('the browser does not answer')
            part = os.read(self.answers, 1 << 16)
            if not part:
                raise Failure('the browser has ended')
            self.waiting += part
        message, self.waiting = self.waiting.split(b'\0', 1)
        return json.loads(message)

    def call(self, method, session=None, **parameters):
        """Calls a method of the protocol. Returns its result; keeps what happens meanwhile in `events`."""
        self.count += 1
        call = {'id': self.count, 'method': method, 'params': parameters}
        if session:
            call['sessionId'] = session
        text = json.dumps(call).encode() + b'\0'
        while text:
            text = text[os.write(self.to, text):]
        until = time.monotonic() + LONGEST
        while True:
            answer = self.receive(until)
            if answer.get('id') != self.count:
                self.events.append(answer)
            elif 'error' in answer:
                raise Failure(f'{method}: {answer["error"]["message"]}')
            else:
                return answer['result']

    def threads(self, name):
        """Returns the number of threads with the name in all processes of the browser."""
        count = 0
        for process in filter(str.isdigit, os.listdir('/proc')):
            try:
                with open(f'/proc/{process}/stat', encoding='utf-8') as file:
                    if int(file.read().rsplit(')', 1)[1].split()[3]) != self.process.pid: # the session
                        continue
                for thread in os.listdir(f'/proc/{process}/task'):
                    with open(f'/proc/{process}/task/{thread}/comm', encoding='utf-8') as file:
                        count += file.read().startswith(name)
            except (FileNotFoundError, ProcessLookupError):
                pass # it has ended meanwhile
        return count

    def open(self, address):
        """Opens the address in a new tab."""
        return Tab(self, address)


class Tab:
    """A tab of the browser."""

    def __init__(self, browser, address):
        self.browser = browser
        self.target = browser.call('Target.createTarget', url='about:blank')['targetId']
        self.session = browser.call('Target.attachToTarget', targetId=self.target, flatten=True)['sessionId']
        for domain in 'Page', 'Runtime', 'Log':
            self.call(f'{domain}.enable')
        self.call('Page.navigate', url=address)

    def call(self, method, **parameters):
        return self.browser.call(method, self.session, **parameters)

    def value(self, expression):
        """Returns the value of an expression of JavaScript, after it has been awaited."""
        answer = self.call('Runtime.evaluate', expression=expression, returnByValue=True, awaitPromise=True)
        if 'exceptionDetails' in answer:
            details = answer['exceptionDetails']
            raise Failure(f'{expression}: {details.get("exception", {}).get("description", details["text"])}')
        return answer['result'].get('value')

    def wait(self, expression, what, longest=LONGEST):
        """Waits until the expression holds. Returns its value."""
        until = time.monotonic() + longest
        while time.monotonic() < until:
            value = self.value(expression)
            if value:
                return value
            time.sleep(0.02)
        raise Failure(f'{what}: not so after {longest} s; the page says: '
                      f'{self.value("document.body.innerText")[-1500:]}')

    def press(self, key, code=0):
        """Presses a key, such as Tab, and lets it go."""
        for kind in 'rawKeyDown', 'keyUp':
            self.call('Input.dispatchKeyEvent', type=kind, key=key, code=key, windowsVirtualKeyCode=code)

    def look(self, width, height, dark=False):
        """Shows the page at a size, light or dark."""
        self.call('Emulation.setDeviceMetricsOverride', width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.call('Emulation.setEmulatedMedia',
                  features=[{'name': 'prefers-color-scheme', 'value': 'dark' if dark else 'light'}])

    def picture(self, path):
        """Writes what is seen as a PNG."""
        with open(path, 'wb') as file:
            file.write(base64.b64decode(self.call('Page.captureScreenshot', format='png')['data']))

    def complaints(self):
        """Returns what the page has failed with or warned of so far, as texts."""
        found = []
        for event in self.browser.events:
            if event.get('sessionId') != self.session:
                continue
            if event['method'] == 'Runtime.exceptionThrown':
                details = event['params']['exceptionDetails']
                found.append(details.get('exception', {}).get('description', details['text']))
            elif event['method'] == 'Log.entryAdded' and event['params']['entry']['level'] == 'error':
                found.append(event['params']['entry']['text'] + ' ' + event['params']['entry'].get('url', ''))
        return found
