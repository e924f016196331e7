#!/usr/bin/env perl
# The glossary has every word that results and explanations are made of: each word in a text of the files below is in
# explain/glossary.def, or plain English (tests/glossary/plain.txt). The page docs/glossary.md is what the tables
# give. What is in quotes in the glossary is a word of it; titles of relations and names of flags can be asked for.
#
# usage: check.pl [--promote] PROGRAM GENERATOR       (--promote rewrites docs/glossary.md)
use strict;
use warnings;

my $promote = @ARGV && $ARGV[0] eq '--promote' ? shift : '';
die "usage: check.pl [--promote] PROGRAM GENERATOR\n" unless @ARGV == 2;
my ($program, $generator) = @ARGV;
my @printing = (
    qw(explain/words.def explain/steps.c explain/faults.c explain/explain.c),
    qw(check/print/races.c check/print/endings.c check/print/explanation.c check/report/explained.c),
    map({"check/report/$_.c"} qw(flags report races)),
    map({"cli/print/$_.c"} qw(text reason check comparison)));
my $failures = 0;

sub fail { print "@_\n"; $failures++; }

sub slurp {
    my ($path) = @_;
    open my $file, '<', $path or die "$path: $!\n";
    local $/;
    return scalar <$file>;
}

# The texts in quotes of a C file, without what printf replaces.
sub texts {
    my ($path) = @_;
    my @texts;
    for my $line (split /\n/, slurp($path)) {
        next if $line =~ /^\s*(#include|\/\/)/;
        $line =~ s/\s\/\/.*//;
        $line =~ s/^(?:RELATION|AXIOM)\("[^"]*"//; # its name in the model
        while ($line =~ /"((?:[^"\\]|\\.)*)"/g) {
            my $text = $1;
            $text =~ s/%[-.*0-9]*[a-z]+|\{[ab]\}|\\./ /g;
            push @texts, $text;
        }
    }
    return @texts;
}

# --- Every word is known ---

my (%known, %plain, @terms);
my $table = slurp('explain/glossary.def');
while ($table =~ /^TERM\("([^"]*)", "([^"]*)"/mg) {
    push @terms, $1;
    for my $form ($1, split /\|/, $2) {
        $known{lc $_} = 1 for $form =~ /[A-Za-z']+/g;
    }
}
$plain{$_} = 1 for split /\s+/, slurp('tests/glossary/plain.txt') =~ s/^#.*$//mgr;
for my $path (@printing) {
    for my $text (texts($path)) {
        for my $word (map { lc } $text =~ /(?<![0-9A-Za-z])[A-Za-z][A-Za-z']{2,}/g) {
            next if $known{$word} || $plain{$word};
            fail("$path: '$word' is neither in explain/glossary.def nor in tests/glossary/plain.txt");
            $plain{$word} = 1;
        }
    }
}
for my $word (sort grep { length } keys %plain) {
    fail("tests/glossary/plain.txt: '$word' is in the glossary") if $known{$word};
}

# --- The list is in order, and what it refers to is there ---

my @sorted = sort { lc($a =~ s/[^A-Za-z]//gr) cmp lc($b =~ s/[^A-Za-z]//gr) } @terms;
for my $i (0 .. $#terms) {
    fail("explain/glossary.def: '$terms[$i]' is where '$sorted[$i]' should be") if $terms[$i] ne $sorted[$i];
}
my %term = map { $_ => 1 } @terms;
while ($table =~ /[Ss]ee '([^']*)'/g) {
    fail("explain/glossary.def: there is no '$1' to see") unless $term{$1};
}

# --- Words that can be asked for ---

my @asked;
my $words = slurp('explain/words.def');
while ($words =~ /^RELATION\(.*"([^"]*)"\)$/mg) {
    push @asked, $1 if length $1;
}
while ($words =~ /^AXIOM\("([^"]*)"/mg) {
    push @asked, $1;
}
my $flags = slurp('check/report/flags.c') . slurp('solver/flags.def');
while ($flags =~ /^(?:    \{|    UNDEFINED\(|FLAG\([A-Z_]+, )"([a-z-]+)",/mg) {
    push @asked, $1;
}
push @asked, qw(weak strong scope race .cta .cluster .gpu .sys .block .device .system __threadfence() __syncthreads()
    __threadfence if Causality CAUSALITY);
my $proxies = slurp('litmus/proxies.def');
while ($proxies =~ /^PROXY\([A-Z]+, "([a-z]+)"/mg) {
    push @asked, $1;
}
fail('too few words were found') if @asked < 50;
for my $word (@asked) {
    open my $pipe, '-|', $program, 'explain', $word or die "$program: $!\n";
    my $text = join '', <$pipe>;
    close $pipe or fail("'ptxlitmus explain $word' fails");
    fail("'ptxlitmus explain $word' says nothing") unless $text =~ /\n  \S/;
}

# --- The page ---

my $page = `'$generator'`;
die "$generator: failed\n" if $? != 0;
if ($promote) {
    open my $file, '>', 'docs/glossary.md' or die "docs/glossary.md: $!\n";
    print $file $page;
    close $file or die "docs/glossary.md: $!\n";
} elsif (slurp('docs/glossary.md') ne $page) {
    fail("docs/glossary.md is not what $generator prints: ./dev promote");
}
printf "%d terms, %d words asked for, %d failures\n", scalar @terms, scalar @asked, $failures;
exit($failures > 0);
