#!/usr/bin/env perl
# What an editor makes of tests and models with the grammars of editors/vscode, and of the program's messages with the
# pattern of its problem matcher. The part of TextMate's language that the grammars use is done here: match, begin and
# end, captures by number, includes of the repository.
#
# usage: editors.pl PROGRAM      (in the project's folder; skipped, 77, where perl has no JSON::PP)
use strict;
use warnings;
BEGIN { eval { require JSON::PP; JSON::PP->import; 1 } or do { print "no JSON::PP: skipped\n"; exit 77 } }

my $program = shift // die "usage: editors.pl PROGRAM\n";
my ($failed, $checked) = (0, 0);

sub slurp { my ($path) = @_; open my $file, '<:raw', $path or die "$path: $!\n"; local $/; return <$file> }

sub check {
    my ($good, $what) = @_;
    $checked++;
    return if $good;
    $failed++;
    print "FAIL $what\n" if $failed <= 40;
}

# --- TextMate --------------------------------------------------------------------------------------

# Patterns in a row, includes resolved. A rule has `re`, and `end` with `inner` when it is a region.
sub rules {
    my ($grammar, $patterns, $made) = @_;
    return [map { @{ rule($grammar, $_, $made) } } @$patterns];
}

sub rule {
    my ($grammar, $pattern, $made) = @_;
    if (my $include = $pattern->{include}) {
        $include =~ s/^#// or die "include $include\n";
        my $named = $grammar->{repository}{$include} or die "no $include in the repository\n";
        return $made->{$include} if $made->{$include};
        my $list = $made->{$include} = [];
        push @$list, @{ rule($grammar, $named, $made) };
        return $list;
    }
    return rules($grammar, $pattern->{patterns}, $made) if $pattern->{patterns} && !$pattern->{begin};
    my $text = $pattern->{match} // $pattern->{begin} // die "a pattern without match\n";
    my $rule = { name => $pattern->{name}, re => qr/$text/, captures => $pattern->{captures} };
    if ($pattern->{begin}) {
        $rule->{end} = qr/$pattern->{end}/;
        $rule->{patterns} = $pattern->{patterns} // [];
        $rule->{grammar} = $grammar;
        $rule->{made} = $made;
    }
    return [$rule];
}

sub inner { my ($rule) = @_; return $rule->{inner} //= rules($rule->{grammar}, $rule->{patterns}, $rule->{made}) }

# The scope of every byte of a text: a list of lines of [first, end, scope], where the innermost comes last.
sub tokenise {
    my ($grammar, $text) = @_;
    my @stack = ({ rules => rules($grammar, $grammar->{patterns}, {}) });
    my @lines;
    for my $line (split /\n/, $text, -1) {
        my ($at, @tokens) = (0);
        while ($at <= length $line) {
            my $top = $stack[-1];
            my ($best, $from, $to, @captures);
            for my $candidate (($top->{end} ? { re => $top->{end}, is_end => 1 } : ()), @{ $top->{rules} }) {
                pos($line) = $at;
                next unless $line =~ /$candidate->{re}/g;
                next if defined $best && $-[0] >= $from;
                ($best, $from, $to) = ($candidate, $-[0], $+[0]);
                @captures = map { [$-[$_], $+[$_]] } 0 .. $#-;
            }
            push @tokens, [$at, defined $best ? $to : length $line, $top->{name}] if $top->{name};
            last unless defined $best;
            if ($best->{is_end}) {
                pop @stack;
            } elsif ($best->{end}) {
                push @tokens, [$from, $to, $best->{name}];
                push @stack, { name => $best->{name}, end => $best->{end}, rules => inner($best) };
            } else {
                push @tokens, [$from, $to, $best->{name}] if $best->{name};
                for my $number (sort { $a <=> $b } keys %{ $best->{captures} // {} }) {
                    my $range = $captures[$number];
                    push @tokens, [@$range, $best->{captures}{$number}{name}] if $range && defined $range->[0];
                }
            }
            die "a pattern that matches nothing at all\n" if $to == $at && $to == $from && !$best->{is_end} && !$best->{end};
            $at = $to;
        }
        push @lines, \@tokens;
    }
    check(@stack == 1, "a region is open at the end of a text");
    return \@lines;
}

# The innermost scope at a column, or ''.
sub scope_at {
    my ($tokens, $column) = @_;
    my $scope = '';
    for my $token (@$tokens) { $scope = $token->[2] if $token->[0] <= $column && $column < $token->[1] }
    return $scope;
}

# --- Grammars --------------------------------------------------------------------------------------

my $litmus = decode_json(slurp('editors/vscode/syntaxes/litmus.tmLanguage.json'));
my $cat = decode_json(slurp('editors/vscode/syntaxes/cat.tmLanguage.json'));

# A text with its lines of expectations: under a line, "^ scope" below a word says what its first letter is.
sub check_sample {
    my ($grammar, $path) = @_;
    my (@text, @expected);
    for my $line (split /\n/, slurp($path)) {
        if ($line =~ /^( *)\^ (\S+)$/) { push @expected, [$#text, length $1, $2] } else { push @text, $line }
    }
    my $lines = tokenise($grammar, join("\n", @text));
    check(@expected > 10, "$path: expectations");
    for (@expected) {
        my ($line, $column, $scope) = @$_;
        my $found = scope_at($lines->[$line], $column);
        my $word = substr $text[$line], $column, 20;
        check($found eq $scope, "$path: '$word' is '$found' and not '$scope'");
    }
}
check_sample($litmus, 'tests/editors/sample.litmus.scopes');
check_sample($cat, 'tests/editors/sample.cat.scopes');

# Every character of what ships has a scope, none is invalid, and what begins a statement is an opcode.
sub check_file {
    my ($grammar, $path) = @_;
    my @text = split /\n/, slurp($path), -1;
    my $lines = tokenise($grammar, join("\n", @text));
    for my $i (0 .. $#text) {
        for my $column (0 .. length($text[$i]) - 1) {
            next if substr($text[$i], $column, 1) =~ /[\s\x80-\xff]/;
            my $scope = scope_at($lines->[$i], $column);
            next if $scope ne '' && $scope !~ /^invalid/ || substr($text[$i], $column, 1) =~ /[{}()\[\]=:+<>!&*-]/;
            check(0, sprintf "%s:%d:%d: '%s' has the scope '%s'", $path, $i + 1, $column + 1, substr($text[$i], $column, 10), $scope);
            return 0;
        }
    }
    my $opcodes = 0;
    for my $i (0 .. $#text) {
        while ($text[$i] =~ /(?:^|[|;{}])\s*(?:\@!?%?\w+\s+)?\K([a-z][a-z0-9]*)(?=\.[a-z])/g) {
            my $scope = scope_at($lines->[$i], $-[1]);
            next if $scope =~ /^(comment|string)/;
            $opcodes++;
            check($scope eq 'support.function.opcode.ptx', sprintf "%s:%d: '%s' is '%s'", $path, $i + 1, $1, $scope);
        }
    }
    $checked++;
    return $opcodes;
}
my ($files, $opcodes) = (0, 0);
for my $path (sort glob('litmus/library/*/*.litmus litmus/library/*.litmus')) {
    $opcodes += check_file($litmus, $path);
    $files++;
}
check($files > 100 && $opcodes > 500, "the library: $files files, $opcodes opcodes");
for my $path (sort glob('model/*.cat model/simulated/*.cat')) { check_file($cat, $path) }

# --- The problem matcher ---------------------------------------------------------------------------

my $matcher = decode_json(slurp('editors/vscode/package.json'))->{contributes}{problemMatchers}[0];
my $pattern = $matcher->{pattern};
my ($problems, $tests) = (0, 0);

# problems OPTIONS: what an editor lists.
sub problems {
    my @found;
    open my $output, '-|', 'sh', '-c', 'exec "$0" "$@" 2>&1', $program, @_ or die "$!\n";
    while (my $line = <$output>) {
        chomp $line;
        my @groups = $line =~ /$pattern->{regexp}/ or next;
        push @found, { map { $_ => $groups[$pattern->{$_} - 1] } qw(file line column severity message) };
    }
    close $output;
    return @found;
}
$ENV{LC_ALL} = 'C.UTF-8';
for my $path (sort glob('tests/bad/ptx-*.litmus')) {
    my $name = $path =~ s/\.litmus$//r;
    next if -e "$name.args";
    my @expected = grep { /^\Q$path\E:\d+:\d+: (error|warning|note): / } split /\n/, slurp("$name.err");
    my @found = problems($path);
    check(@found == @expected, "$path: " . @found . " problems instead of " . @expected);
    for my $i (0 .. $#found) {
        my $problem = $found[$i];
        my $line = "$problem->{file}:$problem->{line}:$problem->{column}: $problem->{severity}: $problem->{message}";
        check($line eq ($expected[$i] // ''), "$path: the problem '$line'");
        check($problem->{file} eq $path && -e $problem->{file}, "$path: the file of '$line'");
    }
    $problems += @found;
    $tests++;
}
check($problems > 50, "$problems problems in $tests tests");
my @failures = problems('--quiet', 'tests/editors/fails.litmus');
check(@failures == 1 && $failures[0]{severity} eq 'failed' && $failures[0]{line} == 7, 'a failed expectation is a problem');
my @none = problems('--format', 'text', 'litmus/library/message-passing/MP.litmus');
check(@none == 0, 'a result is a problem');

print "$checked checks, $failed failed; $files tests with $opcodes opcodes, $problems problems of $tests tests\n";
exit($failed ? 1 : 0);
