#!/usr/bin/env perl
# No text of the project has words that read like a translation. CONTRIBUTING.md says what to write instead.
#
# usage: words.pl        (in the project's folder)
use strict;
use warnings;

# What is wrong, and how it is said. Names in C count too: `_` ends a word.
my @rules = (
    [qr/(?<![a-z])behind(?![a-z])/i, 'after'],
    [qr/(?<![a-z])(?:stands?|standing|stood)(?! for| out| in for)(?![a-z])/i, 'is'],
    [qr/(?<!there )(?<!here )\b(?:is|are|was|were) no (?!longer|more|less|such)[a-z]/i, 'is not a'],
    [qr/\bnobody\b/i, 'no thread, no one'],
    [qr/\bhere (?:is|are) [0-9%]+\b(?! bytes)/i, 'got'],
    [qr/\b(?:a|one) (?:line|row|column|file|table|object|message|case|test) an? [a-z]/i, 'per'],
    [qr/(?<![a-z])(?:heeded|meetings?|solid|put_off)(?![a-z])/i, 'the field\'s term'],
);
# What is meant as it says: a line style of pictures and CSS, something that is left behind, and names that others gave.
my @allowed = (qr/"solid"/, qr/\dpx solid /, qr/\b(?:leav|left)\w*\b[^.]*\bbehind\b/i, qr/\bD10-hang-behind-spin\b/);
# The rules themselves, here and where they are explained.
my @rules_themselves = map { qr{^$_} } qw(tests/structure/words\.pl CONTRIBUTING\.md);

chomp(my @paths = `find \$(cat tests/structure/rooms.txt) docs install editors tests *.md CMakeLists.txt -type f`);
my ($files, $found) = (0, 0);
for my $path (sort @paths) {
    next unless $path =~ /\.(c|h|def|cat|litmus|md|sh|pl|in|txt|case|err|json|vim)$/;
    next if grep { $path =~ $_ } @rules_themselves;
    $files++;
    open my $file, '<', $path or die "$path: $!\n";
    my $text = do { local $/; <$file> } // '';
    next unless grep { $text =~ $_->[0] } @rules; # most files have none
    my $number = 0;
    for my $line (split /\n/, $text) {
        $number++;
        next if grep { $line =~ $_ } @allowed;
        for my $rule (@rules) {
            my ($wrong, $right) = @$rule;
            next if $line !~ $wrong || $line =~ /frame_after_previous/;
            printf "%s:%d: '%s': say '%s'\n", $path, $number, $&, $right;
            $found++;
        }
    }
}
printf "%d files, %d words to replace\n", $files, $found;
exit($found > 0 || $files < 500);
