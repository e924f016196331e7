"""A client of the Language Server Protocol, for lsp.py: it starts `ptxlitmus lsp`, sends messages, also ones that are no
such, and waits for what comes back. Needs only Python's standard library."""
import json
import os
import queue
import subprocess
import threading
import time

LONGEST = 120  # seconds that an answer may take before a check fails


class Failure(Exception):
    """A check that does not hold."""


class Server:
    def __init__(self, program, *options):
        self.process = subprocess.Popen([program, 'lsp', *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, start_new_session=True)
        self.received = queue.Queue()
        self.noted = []  # notifications that were not waited for
        self.last_id = 0
        self.answers = {}
        threading.Thread(target=self._receive, daemon=True).start()

    def _receive(self):
        stream = self.process.stdout
        while True:
            length = None
            while (line := stream.readline()) not in (b'', b'\r\n'):
                name, _, value = line.partition(b':')
                if name != b'Content-Length':
                    self.received.put(Failure(f'a header line of the server: {line!r}'))
                    return
                length = int(value)
            if length is None:
                self.received.put(None)
                return
            self.received.put(json.loads(stream.read(length)))

    def next(self, seconds=LONGEST):
        """The next message, which must come within so many seconds."""
        try:
            message = self.received.get(timeout=seconds)
        except queue.Empty:
            if seconds < LONGEST:
                raise TimeoutError from None
            raise Failure('the server says nothing') from None
        if isinstance(message, Failure):
            raise message
        if message is None:
            raise Failure(f'the server has ended: {self.process.wait()}, {self.process.stderr.read()!r}')
        return message

    # --- What is sent ---

    def raw(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    @staticmethod
    def framed(body):
        body = body if isinstance(body, bytes) else json.dumps(body, ensure_ascii=False).encode()
        return b'Content-Length: %d\r\n\r\n%s' % (len(body), body)

    def notify(self, method, **params):
        self.raw(self.framed({'jsonrpc': '2.0', 'method': method, 'params': params}))

    def request(self, method, params):
        """Sends a request, and returns its id."""
        self.last_id += 1
        self.raw(self.framed({'jsonrpc': '2.0', 'id': self.last_id, 'method': method, 'params': params}))
        return self.last_id

    # --- What comes back ---

    def answer(self, identifier, seconds=LONGEST):
        """The message that answers a request; others are kept. A TimeoutError when it does not come within so many seconds."""
        until = time.monotonic() + seconds
        while identifier not in self.answers:
            message = self.next(LONGEST if seconds == LONGEST else max(until - time.monotonic(), 0.001))
            if 'method' in message:
                self.noted.append(message)
            else:
                self.answers[message['id']] = message
        return self.answers.pop(identifier)

    def ask(self, method, **params):
        """The result of a request."""
        message = self.answer(self.request(method, params))
        if 'error' in message:
            raise Failure(f'{method} was refused: {message["error"]}')
        return message['result']

    def refused(self, method, params):
        """The code and message with which a request is refused."""
        message = self.answer(self.request(method, params))
        if 'error' not in message:
            raise Failure(f'{method} was answered: {message["result"]}')
        return message['error']['code'], message['error']['message']

    def note(self, method, is_it=lambda params: True):
        """The parameters of the next notification of a method, of which something holds."""
        while True:
            for i, message in enumerate(self.noted):
                if message['method'] == method and is_it(message['params']):
                    return self.noted.pop(i)['params']
            message = self.next()
            if 'method' in message:
                self.noted.append(message)
            else:
                self.answers[message['id']] = message

    # --- Usual exchanges ---

    def initialize(self, **capabilities):
        result = self.ask('initialize', processId=os.getpid(), rootUri=None, capabilities=capabilities)
        self.notify('initialized')
        return result['capabilities']

    def open(self, uri, text, version=1):
        self.notify('textDocument/didOpen',
                    textDocument={'uri': uri, 'languageId': 'litmus', 'version': version, 'text': text})

    def change(self, uri, version, *changes):
        self.notify('textDocument/didChange', textDocument={'uri': uri, 'version': version},
                    contentChanges=list(changes))

    def diagnostics(self, uri, version=1):
        """The messages of a version of a text, when all of them are known."""
        self.lenses(uri)
        last = None
        for message in self.noted:
            if message['method'] == 'textDocument/publishDiagnostics' and message['params']['uri'] == uri:
                last = message['params'] if message['params'].get('version') == version else last
        if last is None:
            raise Failure(f'nothing is said of version {version} of {uri}')
        return last['diagnostics']

    def lenses(self, uri):
        return self.ask('textDocument/codeLens', textDocument={'uri': uri})

    def titles(self, uri):
        return [lens['command']['title'] for lens in self.lenses(uri)]

    def at(self, method, uri, line, character):
        return self.ask(method, textDocument={'uri': uri}, position={'line': line, 'character': character})

    def end(self):
        """The exit status, after `shutdown` and `exit`."""
        self.ask('shutdown')
        self.notify('exit')
        return self.wait()

    def wait(self):
        try:
            status = self.process.wait(timeout=LONGEST)
        except subprocess.TimeoutExpired:
            raise Failure('the server does not end') from None
        said = self.process.stderr.read()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            stream.close()
        if said:
            raise Failure(f'the server says on stderr: {said!r}')
        return status


def edited(text, edits):
    """A text with the edits of LSP made in it, whose characters are in UTF-16."""
    lines = text.split('\n')

    def offset(position):
        line = lines[position['line']] if position['line'] < len(lines) else ''
        before = line.encode('utf-16-le')[:2 * position['character']].decode('utf-16-le')
        return sum(len(one) + 1 for one in lines[:position['line']]) + len(before)

    for edit in sorted(edits, key=lambda one: offset(one['range']['start']), reverse=True):
        text = text[:offset(edit['range']['start'])] + edit['newText'] + text[offset(edit['range']['end']):]
    return text
