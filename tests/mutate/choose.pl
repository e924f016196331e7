#!/usr/bin/env perl
# Puts sites (of sites.pl, on stdin) in the order in which they are tried: a site of each operator in turn, each
# chosen by a generator that the seed decides, so that a seed gives one order on every machine.
#
# usage: choose.pl SEED <sites
use strict;
use warnings;

my $state = ($ARGV[0] // 1) & 0x7fffffff;

# Lehmer's generator, of which the high bits are good enough for an order
sub below {
    my ($bound) = @_;
    $state = ($state * 48271 + 11) % 2147483647;
    return int($state / 2147483647 * $bound);
}

my %sites;
while (my $line = <STDIN>) {
    my ($operator) = split /\t/, $line, 2;
    push @{ $sites{$operator} }, $line;
}
below(2) for 1 .. 10;
while (my @operators = sort grep { @{ $sites{$_} } } keys %sites) {
    for my $operator (@operators) {
        my $list = $sites{$operator};
        my $index = below(scalar @$list);
        print $list->[$index];
        $list->[$index] = $list->[-1];
        pop @$list;
    }
}
