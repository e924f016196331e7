#!/usr/bin/perl
# JSON results of ptxlitmus, in the lines that rc11.pl prints: NAME, "race" or "-", outcomes, sorted.
use strict;
use warnings;
use JSON::PP;

while (my $line = <STDIN>) {
    my $test = decode_json($line);
    die "$line" if $test->{error} || !$test->{complete} || @{$test->{unknown_flags} // []};
    my $race = grep { $_ eq 'data-race' } @{$test->{flags}};
    my @outcomes = map { my $s = $_; join ',', map { (my $name = $_) =~ s/^\[(.*)\]$/$1/; "$name=" . ($s->{$_} // 'undef') } sort keys %$s } @{$test->{states}};
    print "$test->{test} ", $race ? 'race' : '-', ' ', join(' ', sort @outcomes), "\n";
}
