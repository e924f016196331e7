"""The language server: its life, malformed messages, texts in both encodings, messages as the command line has them, words,
completions, outcomes, repairs, and that nothing keeps it waiting.

usage: lsp.py PROGRAM     (in the project's folder; lsp.sh does so)"""
import glob
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from random import Random

from client import Failure, Server, edited

PROGRAM = sys.argv[1]
PARSE, INVALID, NO_METHOD, BAD_PARAMS = -32700, -32600, -32601, -32602
NOT_INITIALIZED, CHANGED, CANCELLED = -32002, -32801, -32800
checked, failed = 0, 0



def text_of(path):
    with open(path, encoding='utf-8') as file:
        return file.read()


MP = text_of('litmus/library/message-passing/MP.litmus')
WEAK = MP.replace('st.release', 'st.relaxed')
RACE = text_of('tests/lsp/race.ptx')
URI = 'file:///there/is/no/such/folder/mp.litmus'


def same(what, found, expected):
    global checked, failed
    checked += 1
    if found != expected:
        failed += 1
        print(f'FAIL {what}:\n  expected {expected!r}\n  found    {found!r}')


def holds(what, truth, found=''):
    same(what, (bool(truth), found if not truth else ''), (True, ''))


def started(*options, **capabilities):
    server = Server(PROGRAM, *options)
    server.initialize(**capabilities)
    return server


def slow_test():
    """A test that takes long: each thread exchanges a value four times."""
    count = 8
    threads = ''.join(f'P{i}@cta {i},gpu 0 {{\n' + ''.join(
        f'  atom.relaxed.gpu.global.exch.b32 %r{k}, [x], {10 * i + k + 1};\n' for k in range(4)) + '}\n'
                      for i in range(count))
    condition = ' /\\ '.join(f'P{i}:%r3 == {10 * ((i + 1) % count) + 1}' for i in range(count))
    return f'PTX slow\n.global .u32 x;\n{threads}exists ({condition})\n'


# --- Its life ---

def test_life():
    server = Server(PROGRAM)
    at_start = {'textDocument': {'uri': URI}, 'position': {'line': 0, 'character': 0}}
    same('a request before initialize', server.refused('textDocument/hover', at_start),
         (NOT_INITIALIZED, 'the server is not initialized yet'))
    same('shutdown before initialize', server.refused('shutdown', {})[0], NOT_INITIALIZED)
    server.open(URI, MP)  # is left out
    same('initialize without capabilities', server.refused('initialize', {'processId': None}),
         (BAD_PARAMS, "'capabilities' has to be an object"))
    capabilities = server.initialize()
    same('what it can do', sorted(capabilities), ['codeActionProvider', 'codeLensProvider', 'completionProvider',
                                                  'hoverProvider', 'positionEncoding', 'textDocumentSync'])
    same('the encoding without a choice', capabilities['positionEncoding'], 'utf-16')
    same('the text before initialize', server.refused('textDocument/hover', at_start),
         (BAD_PARAMS, f"'{URI}' is not open"))
    same('a second initialize', server.refused('initialize', {'capabilities': {}})[0], INVALID)
    same('a method that it does not have', server.refused('textDocument/rename', at_start),
         (NO_METHOD, "there is no method 'textDocument/rename'"))
    same('shutdown', server.ask('shutdown'), None)
    same('a request after shutdown', server.refused('textDocument/hover', at_start)[0], INVALID)
    same('shutdown after shutdown', server.refused('shutdown', {})[0], INVALID)
    server.notify('exit')
    same('the status after shutdown and exit', server.wait(), 0)

    server = started()
    server.notify('exit')
    same('the status after exit alone', server.wait(), 1)
    server = Server(PROGRAM)
    server.notify('exit')
    same('the status after exit before initialize', server.wait(), 1)
    server = started()
    server.process.stdin.close()
    same('the status when the client is gone', server.wait(), 1)
    server = started()
    server.process.send_signal(signal.SIGTERM)
    same('the status after SIGTERM', server.wait(), 1)
    for words, message in ((['mp.litmus'], "'lsp' takes no files"), (['--format', 'json'], "'lsp' has no option '--format'"),
                           (['--timeout', 'x'], "'--timeout'")):
        run = subprocess.run([PROGRAM, 'lsp', *words], capture_output=True, text=True, stdin=subprocess.DEVNULL)
        same(f'lsp {" ".join(words)}', (run.returncode, message in run.stderr), (2, True))


# --- Messages that are none ---

def test_malformed():
    server = started()

    def bad(what, data, code, message=None):
        """What is sent is refused without an id, and what follows is answered."""
        server.raw(data)
        error = server.answer(None)['error']
        same(f'{what}: the code', error['code'], code)
        if message:
            same(f'{what}: the message', error['message'], message)
        same(f'{what}: what follows', server.refused('x', {})[0], NO_METHOD)

    framed = Server.framed
    bad('not JSON', framed(b'{"jsonrpc":'), PARSE, 'a message is not JSON')
    bad('nothing', framed(b''), PARSE)
    bad('bytes that are not UTF-8', framed(b'{"jsonrpc":"2.0","id":1,"method":"\xff\xfe"}'), PARSE)
    bad('half of a surrogate pair', framed(b'{"jsonrpc":"2.0","id":1,"method":"\\ud800"}'), PARSE)
    bad('a number that is too large', framed(b'{"jsonrpc":"2.0","id":1e999,"method":"x"}'), PARSE)
    bad('deep arrays', framed(b'[' * 200000), PARSE)
    bad('deep objects', framed(b'{"a":' * 100000), PARSE)
    bad('an array', framed([{'jsonrpc': '2.0', 'id': 1, 'method': 'x'}]), INVALID, 'a message has to be an object')
    bad('a number', framed(b'3'), INVALID)
    bad('an id that is an object', framed({'jsonrpc': '2.0', 'id': {}, 'method': 'x'}), INVALID,
        "'id' has to be a whole number or a string")
    bad('an id that is a fraction', framed({'jsonrpc': '2.0', 'id': 1.5, 'method': 'x'}), INVALID)
    bad('an id that is null', framed({'jsonrpc': '2.0', 'id': None, 'method': 'x'}), INVALID)
    bad('no Content-Length', b'Content-Type: text\r\n\r\n', PARSE, 'a message has no Content-Length')
    bad('a length that is not a number', b'Content-Length: many\r\n\r\n{}', PARSE,
        'the Content-Length of a message is not a number')
    bad('a negative length', b'Content-Length: -5\r\n\r\n{}', PARSE)
    bad('a length with more after it', b'Content-Length: 2 3\r\n\r\n{}', PARSE)
    bad('a huge length', b'Content-Length: 99999999999999999999999999\r\n\r\n{}', PARSE)
    bad('a length beyond the most', b'Content-Length: 67108865\r\n\r\n{}', PARSE, 'a message is longer than 64 MiB')
    bad('two lengths', b'Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}', PARSE,
        'a message has two Content-Lengths')
    bad('a long line', b'X' * 100000 + b'\r\n', PARSE, "a line of a message's header is longer than 8192 bytes")
    bad('bytes of any kind', bytes(range(256)) * 3 + b'\n\n', PARSE)

    def refused(what, message, code, words):
        server.raw(framed(message))
        error = server.answer(message['id'])['error']
        same(what, (error['code'], error['message']), (code, words))

    refused('no version', {'id': 'a', 'method': 'x'}, INVALID, "'jsonrpc' has to be \"2.0\"")
    refused('another version', {'jsonrpc': '1.0', 'id': 'b', 'method': 'x'}, INVALID, "'jsonrpc' has to be \"2.0\"")
    refused('no method', {'jsonrpc': '2.0', 'id': 'c'}, INVALID, "'method' has to be a string")
    refused('parameters that are a text', {'jsonrpc': '2.0', 'id': 'd', 'method': 'shutdown', 'params': 'now'}, INVALID,
            "'params' has to be an object")
    refused('a notification with an id', {'jsonrpc': '2.0', 'id': 'e', 'method': 'initialized', 'params': {}}, INVALID,
            "'initialized' is a notification, without an id")
    refused('parameters that are missing', {'jsonrpc': '2.0', 'id': 'f', 'method': 'textDocument/hover'}, BAD_PARAMS,
            "'textDocument.uri' has to be a string")
    refused('a position that is missing',
            {'jsonrpc': '2.0', 'id': 'g', 'method': 'textDocument/hover', 'params': {'textDocument': {'uri': 7}}},
            BAD_PARAMS, "'textDocument.uri' has to be a string")
    server.open(URI, MP)
    for position, name in (({'line': -1, 'character': 0}, 'line'), ({'line': 0, 'character': '1'}, 'character'),
                           ({'line': 0.5, 'character': 0}, 'line'), ([], 'line'), ({'line': 0}, 'character')):
        same(f'the position {position}',
             server.refused('textDocument/completion', {'textDocument': {'uri': URI}, 'position': position}),
             (BAD_PARAMS, f"'position.{name}' has to be a whole number from 0 on"))
    same('a place far outside', server.at('textDocument/hover', URI, 2**40, 2**40), None)
    there, here = {'line': 3, 'character': 0}, {'line': 1, 'character': 0}
    same('a range that ends before it begins',
         server.refused('textDocument/codeAction', {'textDocument': {'uri': URI}, 'range': {'start': there, 'end': here}}),
         (BAD_PARAMS, "'range' ends before it begins"))
    same('an action of another server', server.refused('codeAction/resolve', {'title': 'x', 'data': {'uri': URI}}),
         (BAD_PARAMS, "'data' is not of an action of this server"))

    # What is wrong with notifications is said in the log; others of them, and answers, are ignored.
    for method, params, words in (
            ('didOpen', {'textDocument': {'uri': URI}}, "'textDocument.text' has to be a string"),
            ('didOpen', {}, "'textDocument.uri' has to be a string"),
            ('didChange', {'textDocument': {'uri': 'file:///b'}, 'contentChanges': []}, "'file:///b' is not open"),
            ('didChange', {'textDocument': {'uri': URI}, 'contentChanges': 3}, "'contentChanges' has to be an array"),
            ('didChange', {'textDocument': {'uri': URI}, 'contentChanges': [{}]},
             "'contentChanges' has one without a 'text'"),
            ('didClose', {'textDocument': {'uri': 'file:///b'}}, "'file:///b' is not open")):
        server.notify(f'textDocument/{method}', **params)
        same(f'{method} with {params}', server.note('window/logMessage')['message'],
             f"ptxlitmus: 'textDocument/{method}' was left out: {words}")
    server.notify('$/whatever', a=1)
    server.notify('whatever')
    server.raw(framed({'jsonrpc': '2.0', 'id': 12, 'result': None}))
    server.raw(framed({'jsonrpc': '2.0', 'id': 13, 'error': {'code': 1, 'message': 'no'}}))
    server.raw(framed({'jsonrpc': '2.0', 'method': 'shutdown'}))  # without an id, it goes nowhere

    # Headers in other letters, with more in them, and in pieces.
    body = json.dumps({'jsonrpc': '2.0', 'id': 'z', 'method': 'x'}).encode()
    message = b'content-type: application/vscode-jsonrpc; charset=utf-8\r\ncontent-length:%d \r\n\r\n%s' % (len(body), body)
    for i in range(len(message)):
        server.raw(message[i:i + 1])
    same('a message byte by byte', server.answer('z')['error']['code'], NO_METHOD)
    server.raw(b''.join(framed({'jsonrpc': '2.0', 'id': f'm{i}', 'method': 'x'}) for i in range(100)))
    same('many messages at once', [server.answer(f'm{i}')['error']['code'] for i in range(100)], [NO_METHOD] * 100)
    same('the status after all of this', server.end(), 0)


def test_random_messages():
    """Messages with random mistakes in them, and between them: the server lives, and answers what is right."""
    random = Random(39)
    place = {'textDocument': {'uri': URI}, 'position': {'line': 7, 'character': 42}}
    messages = [{'jsonrpc': '2.0', 'id': f'r{i}', 'method': method, 'params': params} for i, (method, params) in enumerate((
        ('initialize', {'capabilities': {'general': {'positionEncodings': ['utf-8']}}}),
        ('textDocument/hover', place), ('textDocument/completion', place), ('textDocument/codeLens', place),
        ('textDocument/codeAction', {**place, 'range': {'start': place['position'], 'end': place['position']}}),
        ('codeAction/resolve', {'data': {'uri': URI, 'edition': 1, 'result': {'goal': 'outcome', 'test': 'MP'}}}),
        ('textDocument/didChange', {**place, 'contentChanges': [
            {'range': {'start': place['position'], 'end': {'line': 9, 'character': 1}}, 'text': 'x\u00e9\n'}]}),
        ('textDocument/didOpen', {'textDocument': {'uri': URI, 'version': 1, 'text': MP}}),
        ('textDocument/didClose', place), ('$/cancelRequest', {'id': 'r3'})))]
    server = started('--timeout', '1')
    server.open(URI, MP)
    for number in range(1500):
        message = dict(random.choice(messages))
        if random.random() < 0.5 and message['method'].startswith(('textDocument/did', '$')):
            del message['id']
        body = bytearray(json.dumps(message).encode())
        for _ in range(random.choice((0, 1, 1, 2, 5))):
            at = random.randrange(len(body))
            kind = random.randrange(3)
            if kind == 0:
                body[at] = random.choice(b'{}[]",:0-9.eE \\\n\x00\xff')
            elif kind == 1:
                del body[at:at + random.randrange(1, 9)]
            else:
                body[at:at] = body[random.randrange(len(body)):][:random.randrange(1, 9)]
            body = body or bytearray(b' ')
        framed = Server.framed(bytes(body))
        if random.random() < 0.1:
            framed = framed[random.randrange(1, 9):]
        server.raw(framed)
        if number % 50 == 49:
            server.raw(b'\r\n\r\n')
            begun = f'n{number}'
            while True:  # what came before may have swallowed the next message
                server.raw(framed_request(begun))
                try:
                    server.answer(begun, 2)
                    break
                except TimeoutError:
                    continue
            global checked
            checked += 1
    same('the status', server.end(), 0)


def framed_request(identifier):
    return Server.framed({'jsonrpc': '2.0', 'id': identifier, 'method': 'x'})


# --- Messages ---

PLACE = re.compile(r'^(.+?):(\d+):(\d+): (error|warning|note): (.*)$')


def said_by_program(path):
    """The messages of an .err file: lines and columns from 0, the severity of LSP, and the text with its hint; and how
    many characters are marked, where that is plain."""
    messages = []
    with open(path, encoding='utf-8', errors='surrogateescape') as file:
        lines = file.read().split('\n')
    for before, line in zip([''] + lines, lines):
        match = PLACE.match(line)
        if match:
            severity = {'error': 1, 'warning': 2, 'note': 3}[match[4]]
            messages.append([int(match[2]) - 1, int(match[3]) - 1, severity, match[5], None])
        elif messages and line.startswith('hint: '):
            messages[-1][3] += '\n' + line
        elif messages and re.fullmatch(r' *\^+', line) and '...' not in before and before.isascii():
            messages[-1][4] = (line.index('^'), line.count('^'))
    return messages


def test_messages_of_bad_inputs():
    """Each bad input that needs no options has the messages that the command line gives, at the same words."""
    server = started()
    inputs = [path for path in sorted(glob.glob('tests/bad/*.litmus') + glob.glob('tests/bad/*.test'))
              if not os.path.exists(os.path.splitext(path)[0] + '.args')]
    compared = 0
    for path in inputs:
        expected = said_by_program(os.path.splitext(path)[0] + '.err')
        try:
            with open(path, encoding='utf-8', newline='') as file:
                text = file.read()
        except UnicodeDecodeError:
            continue  # an editor cannot send it
        if not expected or '\r' in text:
            continue
        uri = 'file://' + os.path.abspath(path)
        server.open(uri, text)
        lines = text.split('\n')
        found = []
        for message in server.diagnostics(uri):
            if message['code'] == 'failed':
                continue
            start, end = message['range']['start'], message['range']['end']
            line = lines[start['line']]
            column = len(line.encode('utf-16-le')[:2 * start['character']].decode('utf-16-le'))
            is_plain = '\t' not in line and start['line'] == end['line'] and end['character'] > start['character'] \
                and line.isascii() and len(line) <= 120
            marks = (start['character'], end['character'] - start['character']) if is_plain else None
            found.append([start['line'], column, message['severity'], message['message'], marks])
        for one, other in zip(found, expected):
            if one[4] is None or other[4] is None:
                one[4] = other[4] = None
        same(f'the messages of {path}', [one for one in found], expected)
        compared += sum(one[4] is not None for one in found)
        server.notify('textDocument/didClose', textDocument={'uri': uri})
    holds('inputs enough', len(inputs) > 100 and compared > 150, (len(inputs), compared))
    same('the status', server.end(), 0)


def wrong_at(server, uri, version=1):
    return [(one['range']['start']['line'], one['range']['start']['character'], one['range']['end']['character'])
            for one in server.diagnostics(uri, version)]


def test_encodings():
    line = '/* \U0001F600\u00e9 */ st.relaxd.gpu.global.u32 [x], 1;'
    text = f'PTX E\n.global .u32 x;\nP0@cta 0 {{\n{line}\n}}\nexists (x == 1)\n'
    for wanted, encoding, bytes_of in ((None, 'utf-16', 'utf-16-le'), (['utf-16'], 'utf-16', 'utf-16-le'),
                                       (['utf-32', 'utf-8', 'utf-16'], 'utf-8', 'utf-8')):
        unit = 2 if encoding == 'utf-16' else 1
        server = Server(PROGRAM)
        capabilities = server.initialize(**({'general': {'positionEncodings': wanted}} if wanted else {}))
        same(f'the encoding of {wanted}', capabilities['positionEncoding'], encoding)
        server.open(URI, text)
        at = line.index('.relaxd')
        begin, length = len(line[:at].encode(bytes_of)) // unit, len('.relaxd')
        same(f'the place in {encoding}', wrong_at(server, URI), [(3, begin, begin + length)])
        server.change(URI, 2, {'range': {'start': {'line': 3, 'character': begin},
                                         'end': {'line': 3, 'character': begin + length}}, 'text': '.relaxed'})
        same(f'mended in {encoding}', (wrong_at(server, URI, 2), server.titles(URI)),
             ([], ['always: the only outcome satisfies the condition']))
        # In the middle of the smiley, and after the end of the line.
        half = {'line': 3, 'character': 4}
        server.change(URI, 3, {'range': {'start': half, 'end': half}, 'text': 'x'},
                      {'range': {'start': {'line': 5, 'character': 900}, 'end': {'line': 900, 'character': 0}}, 'text': ''})
        same(f'changes at odd places in {encoding}', wrong_at(server, URI, 3), [])
        same('the status', server.end(), 0)

    # Each way to end a line counts.
    server = started()
    server.open(URI, text.replace('\n', '\r\n'))
    same('\\r\\n', wrong_at(server, URI), [(3, 12, 19)])
    same('the status', server.end(), 0)


def test_texts():
    """Several texts at once, saved and not, with changes of all kinds."""
    server = started()
    other = 'file:///tmp/two%20words/%C3%A9.litmus'
    server.open(URI, MP)
    server.open(other, WEAK)
    server.open('untitled:Untitled-1', 'PTX U\nexists (tru)\n')
    same('the first', server.titles(URI), ['forbidden: none of 3 outcomes satisfies the condition; flags: data-race'])
    weak = 'allowed: 1 of 4 outcomes satisfies the condition; not as expected; flags: data-race'
    same('the second', server.titles(other), [weak])
    holds('an untitled one', server.diagnostics('untitled:Untitled-1'))
    same('what failed is at its word', [(one['code'], one['severity'], one['range']['start'], one['message'])
                                        for one in server.diagnostics(other)],
         [('failed', 1, {'line': 10, 'character': 7},
           'expected forbidden, but the condition is allowed under ptx-9.1: 1 of 4 outcomes satisfies it')])
    server.change(URI, 2, {'text': WEAK})
    same('the first as a whole changed', server.titles(URI), [weak])
    begin = WEAK[:WEAK.index('st.relaxed')].count('\n')
    server.change(URI, 3, {'range': {'start': {'line': begin, 'character': 4}, 'end': {'line': begin, 'character': 11}},
                           'text': ''},
                  {'range': {'start': {'line': begin, 'character': 4}, 'end': {'line': begin, 'character': 4}},
                   'text': 'release'})
    holds('changed in pieces', server.titles(URI)[0].startswith('forbidden: '), server.titles(URI))
    same('nothing is wrong with it now', server.diagnostics(URI, 3), [])
    same('nor was the second changed', server.titles(other), [weak])
    server.notify('textDocument/didClose', textDocument={'uri': other})
    same('a closed text has no messages', server.note('textDocument/publishDiagnostics', lambda params: params['uri'] == other
                                                      and 'version' not in params)['diagnostics'], [])
    same('nor is it known', server.refused('textDocument/codeLens', {'textDocument': {'uri': other}})[0], BAD_PARAMS)
    server.open(other, MP, 7)
    holds('until it is opened again', server.titles(other)[0].startswith('forbidden'))
    server.open('file:///tmp/x.cat', 'let x = po\nexists (')
    same('a file of another kind', server.titles('file:///tmp/x.cat'), [])
    server.open('file:///tmp/empty.litmus', '')
    holds('an empty text', server.diagnostics('file:///tmp/empty.litmus'))
    server.open('file:///tmp/nul.litmus', 'PTX N\0\n\0exists (true)\n')
    holds('a text with NULs', server.diagnostics('file:///tmp/nul.litmus'))
    server.open('file:///tmp/long.litmus', 'PTX L\n' + '/* ' + 'x' * 3000000 + ' */\n.global .u32 x;\nP0@cta 0 {\n}\nexists (x == 0)\n')
    same('a long text', server.titles('file:///tmp/long.litmus'), ['always: the only outcome satisfies the condition'])
    same('the status', server.end(), 0)


# --- Modules ---

DERIVED = ', when launched with grid 1 (all blocks would do the same), block 64 (all threads), arg 0 = 4096 bytes'


def check_derived(server, uri, version):
    """The module of RACE without its manifest: its launch is derived, which the lens and the messages say."""
    lenses = server.lenses(uri)
    same('the place of a launch that is derived', [one['range']['start'] for one in lenses], [{'line': 3, 'character': 9}])
    title = lenses[0]['command']['title']
    holds('what it comes to', title.startswith('not free of data races, hangs and undefined uses' + DERIVED)
          and title.endswith('; flags: data-race'), title)
    found = server.diagnostics(uri, version)
    same('races of a launch that is derived are no warnings',
         [(one['range']['start']['line'], one['severity'], one['code']) for one in found],
         [(7, 3, 'data-race'), (9, 3, 'data-race'), (9, 3, 'data-race')])
    holds('nor is the launch left unsaid', all('\nthe launch is derived: grid 1' in one['message'] for one in found), found)


def test_derived_launches():
    """Each kernel of a module without a manifest is tried; what cannot be is no mistake of the text."""
    server = started(**RESOLVES)
    alone = '\n'.join(RACE.split('\n')[3:])
    head, body = alone.split('.visible', 1)
    strong = body.replace('race(', 'strong(').replace('ld.global', 'ld.relaxed.gpu.global').replace('st.global', 'st.relaxed.gpu.global')
    uri = 'file:///no/such/three.ptx'
    text = head + '.visible' + strong + '.visible' + body + '.visible' + body.replace('race(', 'again(')
    server.open(uri, text)
    lenses = server.lenses(uri)
    same('three kernels', [(one['range']['start']['line'], one['command']['title'].split(',')[0]) for one in lenses],
         [(3, 'free of data races'), (12, 'not free of data races'), (21, 'not free of data races')])
    same('the lines of races', sorted({one['range']['start']['line'] for one in server.diagnostics(uri)}), [16, 18, 25, 27])
    found = actions(server, uri, 25)
    same('repairs', [one['title'] for one in found], ['Repair the data races of race', 'Repair the data races of again'])
    edit = server.ask('codeAction/resolve', **found[1])['edit']['changes'][uri]
    same('the lines of a repair', {(one['range']['start']['line'] - 3) // 9 for one in edit}, {2})
    same('a repair is of one kernel', edited(text, edit).split('.visible')[:3], text.split('.visible')[:3])
    server.change(uri, 2, {'text': alone.replace('    ld.global.u32 %r1, [%rd1];\n', '').replace('%r1;', '1;').replace('add.u32', 'mov.u32')
                           .replace('%r1, %r1, 1', '%r1, %tid.x').replace('st.global', 'ld.global').replace('[%rd1], 1', '%r1, [%rd1]')})
    holds('nothing shared is not called free', server.titles(uri)[0].startswith('nothing was shared: '), server.titles(uri))
    server.change(uri, 3, {'text': alone.replace('    add.u32 %r1, %r1, 1;\n', '    ld.global.u32 %r1, [%rd1+8000000000];\n')})
    found = server.diagnostics(uri, 3)
    same('what cannot be tried is told', sorted({one['severity'] for one in found}), [3])
    same('the status', server.end(), 0)


def test_modules():
    server = started()
    uri = 'file:///no/such/race.ptx'
    server.open(uri, RACE)
    found = server.diagnostics(uri)
    same('a race is at both accesses', [(one['range']['start']['line'], one['severity'], one['code']) for one in found],
         [(12, 2, 'data-race'), (10, 2, 'data-race'), (12, 2, 'data-race')])
    holds('with its reason', 'why: the load at line 11 reads from the store at line 13' in found[0]['message'],
          found[0]['message'])
    lenses = server.lenses(uri)
    same('the outcome is at the launch', [(one['range']['start']['line'], one['command']['title']) for one in lenses],
         [(1, 'not free of data races, hangs and undefined uses; flags: data-race')])
    strong = RACE.replace('ld.global', 'ld.relaxed.gpu.global').replace('st.global', 'st.relaxed.gpu.global')
    server.change(uri, 2, {'text': strong})
    same('without it', (server.titles(uri), server.diagnostics(uri, 2)),
         (['free of data races, hangs and undefined uses'], []))
    asked = strong.replace('// PTXLITMUS arg 0 = &data\n',
                           '// PTXLITMUS arg 0 = &data\n// PTXLITMUS ~exists (data == 1)\n')
    server.change(uri, 3, {'text': asked})
    same('with a condition', [(one['range']['start']['line'], one['command']['title']) for one in server.lenses(uri)],
         [(1, 'free of data races, hangs and undefined uses'),
          (3, 'allowed: 1 of 2 outcomes satisfies the condition; not as expected')])
    lines = RACE.split('\n')
    server.change(uri, 4, {'text': '\n'.join(lines[3:])})
    check_derived(server, uri, 4)
    server.change(uri, 5, {'text': '\n'.join(lines[3:]).replace('add.u32', 'ad.u32')})
    same('is read', [(one['range']['start'], one['message'].split('\n')[0]) for one in server.diagnostics(uri, 5)],
         [({'line': 8, 'character': 4}, "'ad' is not a PTX instruction")])

    # With its manifest in a file beside it, which is open too.
    server.change(uri, 6, {'text': '\n'.join(lines[3:])})
    beside = uri + '.litmus'
    manifest = '\n'.join(line.replace('// PTXLITMUS ', '') for line in lines[:3]) + '\n'
    server.open(beside, manifest)
    same('its manifest', [(one['range']['start']['line'], one['command']['title']) for one in server.lenses(beside)],
         [(1, 'not free of data races, hangs and undefined uses; flags: data-race')])
    same('and the module', server.titles(uri), ['not free of data races, hangs and undefined uses; flags: data-race'])
    server.change(beside, 2, {'text': manifest.replace('&data', '&date')})
    same('which has no outcome after a mistake in it', server.titles(uri), [])
    same('a mistake in it', [(one['range']['start'], one['severity']) for one in server.diagnostics(beside, 2)],
         [({'line': 2, 'character': 9}, 1)])
    server.notify('textDocument/didClose', textDocument={'uri': beside})
    check_derived(server, uri, 6)
    folder = 'file:///no/such/all.ptx.litmus'
    server.open(folder, manifest)
    same('the manifest of a folder', server.titles(uri),
         ['not free of data races, hangs and undefined uses; flags: data-race'])
    same('the status', server.end(), 0)


# --- Words ---

def test_hover():
    markdown = {'textDocument': {'hover': {'contentFormat': ['markdown', 'plaintext']}}}
    server = started(**markdown)
    lines = MP.split('\n')
    server.open(URI, MP)

    def at(word, line, more=1):
        hover = server.at('textDocument/hover', URI, line, lines[line].index(word) + more)
        if not hover:
            return None, None
        start, end = hover['range']['start'], hover['range']['end']
        return lines[start['line']][start['character']:end['character']], hover['contents']['value']

    word, text = at('acquire', 7)
    same('the whole opcode is meant', word, 'ld.acquire.gpu.global.u32')
    parts = text.split('\n\n')
    same('a qualifier: what it is', parts[0], '.acquire is a memory order')
    holds('a qualifier: the word', parts[1].startswith('acquire (PTX ISA 8.8): An order of a load'), parts[1])
    grammar = parts[2].split('\n')
    same('its forms', (grammar[:4], grammar[-1]),
         (['```ptx', 'ld.order.scope{.global}{.evict1}{.L2::cache_hint}{.prefetch}{.vec}.type d, [a]{, policy};',
           '  .order = .relaxed, .acquire', '  .scope = .cta, .cluster, .gpu, .sys'], '```'))
    holds('since when', '  since PTX ISA 6.0, sm_70' in grammar, grammar)
    holds('an opcode alone', at('ld', 7)[1].startswith('```ptx\nld.order.scope'), at('ld', 7)[1])
    holds('another qualifier', at('.gpu', 7, 2)[1].startswith('.gpu is a scope\n\nGPU'), at('.gpu', 7, 2)[1])
    word, text = at('forbidden', 10)
    same('a word of the glossary', (word, text.split(':')[0]), ('forbidden', 'forbidden'))
    same('the name of a test', at('MP', 0), (None, None))
    same('a number', at('1 ', 7), (None, None))
    for text, word, found, begin in (
            ('expect no race, may-hang;', 'race', 'race', 'data race (PTX ISA 8.7.1): '),
            ('/* a data race is here */', 'race', 'data race', 'data race (PTX ISA 8.7.1): '),
            ('// morally strong', 'strong', 'morally strong', 'morally strong (PTX ISA 8.7): '),
            ('  cp.async.ca.shared.global [a], [b], 4;', 'async', 'cp.async.ca.shared.global', '.async'),
            ('  wmma.load.a.sync.aligned.row.m16n16k16.f16', 'wmma', 'wmma.load.a.sync.aligned.row.m16n16k16.f16', 'wmma'),
            ('// __threadfence_block()', '__thread', '__threadfence_block', '__threadfence_block()')):
        lines = [text]
        server.change(URI, 9, {'text': text})
        place, said = at(word, 0)
        same(f'the word in {text!r}', place, found)
        holds(f'its meaning: {text!r}', said and said.startswith(begin), said)
    same('the status', server.end(), 0)

    server = started()
    server.open(URI, MP)
    plain = server.at('textDocument/hover', URI, 7, 42)['contents']
    same('without Markdown', (plain['kind'], '```' in plain['value'], 'ld.order.scope' in plain['value']),
         ('plaintext', False, True))
    same('the status', server.end(), 0)


# --- Completions ---

def labels(server, uri, line, character):
    result = server.at('textDocument/completion', uri, line, character)
    return [item['label'] for item in result['items']]


def test_completion():
    server = started()
    server.open(URI, '')
    version = 1

    def typed(text, more=''):
        """What is offered where a text ends, with more after it."""
        nonlocal version
        version += 1
        server.change(URI, version, {'text': text + more})
        line = text.count('\n')
        return labels(server, URI, line, len(text.split('\n')[-1]))

    body = 'PTX C\n.global .u32 x;\nP0@cta 0 {\n  '
    same('orders and more', typed(body + 'st.release.')[:4], ['.cta', '.cluster', '.gpu', '.sys'])
    same('a part of a name', typed(body + 'griddepcontrol.'), ['.launch_dependents', '.wait'])
    same('what the rest leaves open', [word for word in typed(body + 'atom.', '.gpu.global.add.u32 %r1, [x], 1;')
                                       if word in ('.relaxed', '.acq_rel', '.cta', '.gpu', '.u32', '.sub')],
         ['.relaxed', '.acq_rel'])
    same('only what a form has', [word for word in typed(body + 'fence.proxy.') if word in ('.alias', '.cop', '.u32')],
         ['.alias'])
    holds('after a full form', '.gpu' not in typed(body + 'ld.acquire.gpu.global.u32.'))
    instructions = typed(body + 'at')
    holds('instructions', {'atom', 'ld', 'st', 'fence', 'bar', 'mbarrier'} <= set(instructions), instructions)
    holds('after a guard', 'atom' in typed(body + '@!%p at'))
    holds('after a label', 'atom' in typed(body + 'L1: '))
    holds('in a table', 'atom' in typed('PTX C\n P0@cta 0 | P1@cta 1 ;\n ld.u32 %r0, [x] | '))
    same('not as an operand', typed(body + 'ld.u32 %r0, '), [])
    same('not in a comment', typed(body + '// ld.'), [])
    holds('directives', '.reg' in typed(body + '.'))
    holds('sections', {'exists', '~exists', 'forall', 'expect', 'locations'} <= set(typed(body + '}\n')))
    holds('what is expected', typed(body + '}\nexists (x == 1)\nexpect ')[:5] ==
          ['allowed', 'forbidden', 'always', 'race', 'no race'])
    holds('promises', typed('PTX C\nprogress ')[:3] == ['cuda', 'fair', 'hsa'], typed('PTX C\nprogress '))
    holds('included tests', {'MP', 'MP+addr'} <= set(typed('PTX MP')), typed('PTX MP'))
    server.change(URI, 99, {'text': 'PTX MP'})
    items = server.at('textDocument/completion', URI, 0, 6)['items']
    whole = [edited('PTX MP', [item['textEdit']]) for item in items if item['label'] == 'MP']
    same('which is put in as a whole', whole, [MP])
    module = 'file:///tmp/c.ptx'
    server.open(module, '// PTXLITMUS \n.version 8.0\n')
    holds('words of a manifest', {'kernel', 'global', 'arg'} <= set(labels(server, module, 0, 13)))

    # Where a qualifier is replaced, and what is put in.
    server.change(URI, 100, {'text': body + 'st.rel.gpu'})
    edits = [item['textEdit'] for item in server.at('textDocument/completion', URI, 3, 6)['items']
             if item['label'] == '.release']
    same('what is typed is replaced', edits, [{'range': {'start': {'line': 3, 'character': 4},
                                                         'end': {'line': 3, 'character': 8}}, 'newText': '.release'}])
    same('the status', server.end(), 0)


OPCODE = re.compile(r'[a-z][a-z0-9_]*(?:\.(?:[A-Za-z0-9_]|::)+)+')


def test_completion_of_what_is_written():
    """In tests that are included, each qualifier that is written is offered after those before it."""
    server = started()
    known = set()
    for path in sorted(glob.glob('litmus/library/*/*.litmus')):
        with open(path, encoding='utf-8') as file:
            body = re.sub(r'"[^"]*"|//.*', '', file.read().split('\n', 1)[1])
        known |= {match[0] for match in OPCODE.finditer(body) if body[match.end():match.end() + 1] in (' ', ';')}
    known = sorted(known)[::7]
    holds('opcodes enough', len(known) > 60, len(known))
    server.open(URI, ''.join(f'{opcode} \n' for opcode in known))
    missed = []
    for line, opcode in enumerate(known):
        for dot in [i for i, letter in enumerate(opcode) if letter == '.']:
            end = opcode.find('.', dot + 1)
            part = opcode[dot:end if end > 0 else len(opcode)]
            offered = labels(server, URI, line, dot + 1)
            if part not in offered:
                missed.append((opcode, part, offered))
    same('what is written and not offered', missed, [])
    same('the status', server.end(), 0)


# --- Outcomes and repairs ---

RESOLVES = {'textDocument': {'codeAction': {'resolveSupport': {'properties': ['edit']}}}}


def actions(server, uri, line, **context):
    place = {'line': line, 'character': 2}
    return server.ask('textDocument/codeAction', textDocument={'uri': uri}, range={'start': place, 'end': place},
                      context={'diagnostics': [], **context})


def repaired(path, *options):
    """What `ptxlitmus repair` makes of a file."""
    with tempfile.TemporaryDirectory() as folder:
        name = os.path.join(folder, 'repaired' + os.path.splitext(path)[1])
        subprocess.run([PROGRAM, 'repair', *options, '--write', name, path], capture_output=True, check=True)
        with open(name, encoding='utf-8', newline='') as file:
            return file.read()


def test_repairs():
    with tempfile.TemporaryDirectory() as folder:
        for name, text, line, options, title in (
                ('weak.litmus', WEAK, 9, [], 'Forbid the outcome of MP: the least changes'),
                ('end.litmus', WEAK.replace('forbidden;', 'allowed;').rstrip('\n'), 9, [],
                 'Forbid the outcome of MP: the least changes'),
                ('crlf.litmus', WEAK.replace('\n', '\r\n'), 9, [], 'Forbid the outcome of MP: the least changes'),
                ('race.ptx', RACE, 10, ['--races'], 'Repair the data races of race')):
            path = os.path.join(folder, name)
            with open(path, 'w', encoding='utf-8', newline='') as file:
                file.write(text)
            expected, uri = repaired(path, *options), 'file://' + path
            holds(f'{name}: there is something to repair', expected != text)
            server = started(**RESOLVES)
            server.open(uri, text)
            found = actions(server, uri, line)
            same(f'{name}: what is offered', [(one['title'], one['kind'], 'edit' in one) for one in found],
                 [(title, 'quickfix', False)])
            same(f'{name}: nothing elsewhere', actions(server, uri, 4 if name == 'race.ptx' else 2), [])
            same(f'{name}: nothing of another kind', actions(server, uri, line, only=['refactor']), [])
            other = {**found[0], 'data': {**found[0]['data'], 'result': {'goal': 'flag x', 'test': 'MP'}}}
            same(f'{name}: what was not offered', server.refused('codeAction/resolve', other),
                 (BAD_PARAMS, "'data' is not of an action of this text"))
            resolved = server.ask('codeAction/resolve', **found[0])
            same(f'{name}: the edit', edited(text, resolved['edit']['changes'][uri]), expected)
            server.change(uri, 2, {'text': text + '\n'})
            same(f'{name}: of another text', server.refused('codeAction/resolve', found[0]),
                 (CHANGED, 'the text has changed since'))
            same(f'{name}: the status', server.end(), 0)

            server = started()  # a client that takes actions as they come
            server.open(uri, text)
            found = actions(server, uri, line)
            same(f'{name}: whole actions', [edited(text, one['edit']['changes'][uri]) for one in found], [expected])
            same(f'{name}: the status', server.end(), 0)


def test_words_that_are_meant():
    """Where a message says which word is meant, that is put in, after which the message is gone."""
    server = started()
    wrong = MP.replace('st.release', 'st.relese').replace('forbidden', 'forbiden')
    server.open(URI, wrong)
    found = actions(server, URI, 8) + actions(server, URI, 10)
    same('what is offered', [(one['title'], one['kind'], len(one['diagnostics'])) for one in found],
         [("Change to '.release'", 'quickfix', 1), ("Change to 'forbidden'", 'quickfix', 1)])
    same('what it makes', edited(wrong, [edit for one in found for edit in one['edit']['changes'][URI]]), MP)
    same('nothing on another line', actions(server, URI, 7), [])
    tried, version = 0, 1

    def opened(text):
        """The messages of a text, which is opened anew: what is typed is not decided at once."""
        nonlocal version
        version += 1
        server.open(URI, text, version)
        return server.diagnostics(URI, version)

    for path in sorted(glob.glob('tests/bad/*.litmus')):
        with open(path[:-7] + '.err', encoding='utf-8', errors='replace') as file:
            if 'hint: did you mean' not in file.read():
                continue
        text = text_of(path)
        for message in opened(text):
            offered = [one for one in actions(server, URI, message['range']['start']['line'])
                       if one.get('diagnostics') == [message]]
            if offered:
                tried += 1
                left = opened(edited(text, offered[0]['edit']['changes'][URI]))
                holds(f'{path}: {message["message"]!r} is mended', message not in left, left)
                opened(text)
    holds('words enough', tried > 20, tried)
    same('the status', server.end(), 0)


# --- Time ---

def test_time():
    server = started('--timeout', '2', **RESOLVES)
    slow = 'file:///tmp/slow.litmus'
    server.open(slow, slow_test())
    waiting = server.request('textDocument/codeLens', {'textDocument': {'uri': slow}})
    begun = time.monotonic()
    server.open(URI, MP)
    holds('another text is decided meanwhile', server.titles(URI)[0].startswith('forbidden'))
    server.notify('$/cancelRequest', id=waiting)
    same('a request that is cancelled', server.answer(waiting)['error'],
         {'code': CANCELLED, 'message': 'the request was cancelled'})
    server.notify('$/cancelRequest', id=waiting)
    server.notify('$/cancelRequest', id='never')
    waiting = server.request('textDocument/codeLens', {'textDocument': {'uri': slow}})
    server.change(slow, 2, {'text': slow_test() + '\n'})
    same('a request whose text has changed', server.answer(waiting)['error'],
         {'code': CHANGED, 'message': 'the text has changed'})
    holds('none of this took long', time.monotonic() - begun < 60)
    same('a limit of time', server.titles(slow), ['undecided: the time limit of 2 s was reached'])
    same('no message for it', server.diagnostics(slow, 2), [])
    waiting = server.request('textDocument/codeLens', {'textDocument': {'uri': slow}})
    server.answer(waiting)
    server.change(slow, 3, {'text': slow_test()})
    waiting = server.request('textDocument/codeLens', {'textDocument': {'uri': slow}})
    asked = server.request('shutdown', {})
    same('a request at shutdown', server.answer(waiting)['error']['code'], CANCELLED)
    same('shutdown meanwhile', server.answer(asked)['result'], None)
    server.notify('exit')
    same('the status', server.wait(), 0)


def has_members(group):
    """Whether a process of a group is there and not ended."""
    for status in glob.glob('/proc/[0-9]*/stat'):
        try:
            with open(status, encoding='utf-8', errors='replace') as file:
                fields = file.read().rpartition(')')[2].split()
        except OSError:
            continue
        if int(fields[2]) == group and fields[0] not in 'ZX':
            return True
    return False


def test_processes():
    """However the server ends, no process that works for it is left."""
    for how in ('exit', 'kill', 'eof'):
        server = started('--timeout', '600')
        group = server.process.pid
        for i in range(3):
            server.open(f'file:///tmp/slow{i}.litmus', slow_test())
        server.open(URI, MP)
        same(f'{how}: what is asked meanwhile', server.at('textDocument/hover', URI, 7, 42) is None, False)
        time.sleep(0.5)
        if how == 'exit':
            same('exit: the status', server.end(), 0)
        elif how == 'kill':
            server.process.kill()
            same('kill: the status', server.wait(), -signal.SIGKILL)
        else:
            server.process.stdin.close()
            same('eof: the status', server.wait(), 1)
        until = time.monotonic() + 60
        while has_members(group) and time.monotonic() < until:
            time.sleep(0.05)
        holds(f'{how}: no process is left', not has_members(group))


def test_hasty_client():
    """A client that does not read for a while, and many changes at once."""
    server = started()
    server.open(URI, MP)
    for version in range(2, 300):
        server.change(URI, version, {'text': MP if version % 2 else WEAK})
    asked = [server.request('textDocument/completion', {'textDocument': {'uri': URI}, 'position': {'line': 9, 'character': 0}})
             for _ in range(200)]
    same('all is answered', [len(server.answer(one)['result']['items']) > 50 for one in asked], [True] * 200)
    holds('the last change counts', server.titles(URI)[0].startswith('forbidden'))
    same('the status', server.end(), 0)


def main():
    tests = [value for name, value in sorted(globals().items()) if name.startswith('test_')]
    wanted = sys.argv[2:]
    global failed
    for test in tests:
        if wanted and test.__name__ not in wanted:
            continue
        begun = time.monotonic()
        try:
            test()
        except Failure as failure:
            failed += 1
            print(f'FAIL {test.__name__}: {failure}')
        print(f'{test.__name__}: {time.monotonic() - begun:.1f} s', flush=True)
    print(f'{checked} checks, {failed} failed')
    return 1 if failed or not checked else 0


if __name__ == '__main__':
    sys.exit(main())
