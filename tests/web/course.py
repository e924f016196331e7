#!/usr/bin/env python3
"""The course of the page has all words of its texts, in their order, and what the page could not show is refused.
usage: course.py ROOT"""
import json
import os
import re
import subprocess
import sys
import tempfile

REFUSED = {  # what is refused: the words of the message
    'words\n': 'before a heading',
    '# A\n\n| a | b |\n': '"| a | b |"',
    '# A\n\n<b>bold</b>\n': '"<b>bold</b>"',
    '# A\n\nwords <img src=x>\n': '"<img src=x>"',
    '# A\n\nan &amp; entity\n': '"&amp; entity"',
    '# A\n\n![a picture](a.png)\n': '"![a picture](a.png)"',
    '# A\n\n[a page](trust.md)\n': 'a link to "trust.md"',
    '# A\n\n[a deed](javascript:alert)\n': 'a link to "javascript:alert"',
    '# A\n\n```console\n$ run\n': 'a block without an end',
    '# A\n\n```console\nrun\n```\n': 'does not begin with a command',
    '# A\n\n<details><summary>Answer</summary>\n\nwords\n': 'a part without </details>',
    '# A\n\n1. one\n': '"1. one"',
    '# A\n\n### B\n': '"### B"',
    '# A\n\n`open\n': '"`open"',
}


def course(root, files):
    """Runs course.pl over the files."""
    return subprocess.run(['perl', os.path.join(root, 'packaging/web/course.pl'), *files], capture_output=True, text=True)


def words_of_json(value):
    """Yields the texts of the pages in the order in which they are shown."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for one in value:
            yield from words_of_json(one)
    else:
        for key in 'title', 'summary', 'code', 'strong', 'em', 'text', 'command', 'printed', 'parts', 'items', 'runs', 'blocks':
            yield from words_of_json(value.get(key, []))


def words_of_text(text):
    """Returns the text without what is Markdown's alone."""
    pieces = re.split(r'^```(?:console)?\n(.*?)^```$', text, flags=re.M | re.S)
    for i in range(0, len(pieces), 2):
        plain = re.sub(r'</?(?:details|summary)>|^##? |^- ', ' ', pieces[i], flags=re.M)
        pieces[i] = re.sub(r'\]\([^)]*\)', ' ', plain)
    for i in range(1, len(pieces), 2):
        pieces[i] = re.sub(r'^\$ ', '', pieces[i], flags=re.M)
    return '\n'.join(pieces)


def letters(text):
    """Returns the text without spaces, and without the marks that stand around words."""
    return re.sub(r'[\s`*\[\]]', '', text)


def check_text(root):
    """All words of the course are in what is made of it."""
    files = [os.path.join(root, 'docs', name) for name in ('memory-scopes.md', 'memory-scopes-2.md')]
    made = course(root, files)
    if made.returncode:
        return [made.stderr]
    wanted = letters(''.join(words_of_text(open(file, encoding='utf-8').read()) for file in files))
    got = letters(''.join(words_of_json(json.loads(made.stdout))))
    if got == wanted:
        return [] if len(wanted) > 10000 else [f'the course has only {len(wanted)} letters']
    at = len(os.path.commonprefix([got, wanted]))
    return [f'the course has {got[at - 20:at + 60]!r}, and its text {wanted[at - 20:at + 60]!r}']


def check_refused(root):
    """What the page could not show is refused with its place."""
    faults = []
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'a.md')
        for text, message in REFUSED.items():
            with open(path, 'w', encoding='utf-8') as file:
                file.write(text)
            made = course(root, [path])
            if made.returncode == 0 or made.stdout or message not in made.stderr or not re.match(rf'{path}:\d+: ', made.stderr):
                faults.append(f'{text!r}: {made.returncode} {made.stdout!r} {made.stderr!r}')
    return faults


def main():
    faults = check_text(sys.argv[1]) + check_refused(sys.argv[1])
    print('\n'.join(faults))
    return 1 if faults else 0


if __name__ == '__main__':
    sys.exit(main())
