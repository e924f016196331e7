#!/usr/bin/perl
# All cycles of Rfe, Fre, Coe and Pod between reads and writes, found in another way than generate/ does: as words
# around a ring of accesses, of which two are the same when one can be turned into the other. Prints one
# cycle per line, in the words of diy7, turned to what comes first in the alphabet.
#
# usage: cycles.pl SIZE      cycles of at most SIZE edges
#        cycles.pl turn      turns the cycles on the standard input, one per line
#
# What is left out, and why: two program orders in sequence are one; Rfe Fre is a Coe, Fre Coe a Fre, Coe Coe a
# Coe, and an Rfe ends in a read, after which no other communication but Fre is possible. At least two edges lead
# to other threads, one location is not enough, and no location has more than two writes.
use strict;
use warnings;

my %ends = (Rfe => 'WR', Fre => 'RW', Coe => 'WW', PodRR => 'RR', PodRW => 'RW', PodWR => 'WR', PodWW => 'WW');

sub turned {
    my @edges = @_;
    my @turns = map { join ' ', @edges[$_ .. $#edges], @edges[0 .. $_ - 1] } 0 .. $#edges;
    return (sort @turns)[0];
}

sub composes {
    my ($a, $b) = @_;
    return 1 if $a =~ /^Pod/ && $b =~ /^Pod/;
    return $a !~ /^Pod/ && $b !~ /^Pod/ && !($a =~ /^(Coe|Fre)$/ && $b eq 'Rfe');
}

# The most writes that one location has: the ring is cut at each Pod.
sub most_writes {
    my @edges = @_;
    my ($most, @segments) = (0);
    my $first = (grep { $edges[$_] =~ /^Pod/ } 0 .. $#edges)[0];
    my @ring = (@edges[$first .. $#edges], @edges[0 .. $first - 1]);
    my $count = 0;
    for my $edge (@ring) {
        if ($edge =~ /^Pod/) {
            $most = $count if $count > $most;
            $count = substr($ends{$edge}, 1) eq 'W' ? 1 : 0;
        } else {
            $count++ if substr($ends{$edge}, 1) eq 'W';
        }
    }
    return $count > $most ? $count : $most;
}

sub is_test {
    my @edges = @_;
    my $internal = grep { /^Pod/ } @edges;
    return @edges - $internal >= 2 && $internal >= 2 && most_writes(@edges) <= 2;
}

if (($ARGV[0] // '') eq 'turn') {
    while (my $line = <STDIN>) {
        print turned(split ' ', $line), "\n";
    }
    exit 0;
}

my %found;
my @rows = map { [$_] } sort keys %ends;
for my $size (2 .. $ARGV[0]) {
    my @longer;
    for my $row (@rows) {
        for my $edge (sort keys %ends) {
            next if composes($row->[-1], $edge);
            push @longer, [@$row, $edge] if substr($ends{ $row->[-1] }, 1) eq substr($ends{$edge}, 0, 1);
        }
    }
    @rows = @longer;
    for my $row (@rows) {
        next if composes($row->[-1], $row->[0]);
        next if substr($ends{ $row->[-1] }, 1) ne substr($ends{ $row->[0] }, 0, 1);
        $found{ turned(@$row) } = 1 if is_test(@$row);
    }
}
print map { "$_\n" } sort keys %found;
