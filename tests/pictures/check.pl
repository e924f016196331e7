#!/usr/bin/env perl
# Compares a graph in the dot language with the explanation in JSON that it is of.
#
# usage: check.pl JSON DOT
use strict;
use warnings;
use JSON::PP;

die "usage: check.pl JSON DOT\n" unless @ARGV == 2;
my ($json_path, $dot_path) = @ARGV;
my $failures = 0;

sub fail { print "  @_\n"; $failures++; }

sub slurp {
    my ($path) = @_;
    open my $file, '<', $path or die "$path: $!\n";
    local $/;
    return scalar <$file>;
}

my $json = decode_json(slurp($json_path));
my $dot = slurp($dot_path);
my @executions = grep { $_ } $json->{example}, map({ $_->{execution} } @{$json->{core}}), $json->{hang};

# --- Nodes: every event, in no other's way, and inside its boxes ---

my (%node, %boxes);
while ($dot =~ /^ +(e(\d+)_\d+) \[width=([\d.]+), height=([\d.]+),\s+pos="([\d.-]+),([\d.-]+)", label="([^"]*)"/mg) {
    $node{$1} = {picture => $2, width => $3 * 72, height => $4 * 72, x => $5, y => $6, text => $7};
}
while ($dot =~ /subgraph "cluster_(\d+)_\d+".*? bb="([\d.-]+),([\d.-]+),([\d.-]+),([\d.-]+)"/g) {
    push @{$boxes{$1}}, [$2, $3, $4, $5];
}
my ($width, $height) = $dot =~ /graph \[bb="0,0,([\d.]+),([\d.]+)"/ or fail('the graph has no size');
for my $p (0 .. $#executions) {
    for my $event (@{$executions[$p]{events}}) {
        my @found = grep { $_->{picture} == $p && index($_->{text}, "$event->{name}  line $event->{line}") == 0 } values %node;
        fail("picture $p: $event->{name} is there " . scalar(@found) . ' times') if @found != 1;
    }
}
my @names = sort keys %node;
for my $i (0 .. $#names) {
    my $a = $node{$names[$i]};
    fail("$names[$i] is outside the graph") if $a->{x} < 0 || $a->{y} < 0 || $a->{x} > $width || $a->{y} > $height;
    for my $j (0 .. $i - 1) {
        my $b = $node{$names[$j]};
        fail("$names[$i] and $names[$j] overlap")
            if abs($a->{x} - $b->{x}) < ($a->{width} + $b->{width}) / 2 && abs($a->{y} - $b->{y}) < ($a->{height} + $b->{height}) / 2;
    }
    next if $a->{text} =~ /^init:/;
    my $around = grep { $_->[0] <= $a->{x} - $a->{width} / 2 && $a->{x} + $a->{width} / 2 <= $_->[2]
            && $_->[1] <= $a->{y} - $a->{height} / 2 && $a->{y} + $a->{height} / 2 <= $_->[3] } @{$boxes{$a->{picture}}};
    fail("$names[$i] is in no box") if $around == 0;
}

# --- Edges: those of the JSON, with their labels, and no other of these relations ---

my (%drawn, %legend);
while ($dot =~ /^ +e(\d+)_\d+ -> e\d+_\d+ \[.*?tooltip="([^"]*)"(, lp="[^"]*", label=<)?/mg) {
    my ($p, $tip, $label) = ($1, $2, $3);
    my ($relation) = $tip =~ /^([^:]*):/;
    $drawn{"$p $tip"} = 1;
    $legend{$relation} = 1;
    fail("picture $p: $tip has no label") if !$label && $relation ne 'po';
}
for my $relation (keys %legend) {
    fail("'$relation' is not in the legend") unless $dot =~ /^ +l\d+_t \[.*?label="\Q$relation\E(:|\\l)/m;
}
my %known;
for my $p (0 .. $#executions) {
    my $execution = $executions[$p];
    for my $edge (@{$execution->{edges}}) {
        my $key = "$p $edge->{relation}: $edge->{from} to $edge->{to}";
        my $apart = ($edge->{from} =~ /^(P\d+)/)[0] // '';
        next if $edge->{from} =~ /^init:/ || ($edge->{relation} eq 'barrier' && $edge->{to} =~ /^$apart:/);
        $known{$key} = 1;
        fail("picture $key is missing") unless $drawn{$key};
    }
}
for my $key (keys %drawn) {
    fail("picture $key is not in the explanation") if $key =~ /^\d+ (rf|sync|barrier): (?!init)/ && !$known{$key};
}
my $thick = () = $dot =~ /label=<<TABLE[^>]*><TR><TD><B>/g;
fail('no edge is emphasised') if @{$json->{core}} && !$thick;
fail('there are ' . scalar(@executions) . ' executions, and edges of ' . scalar(keys %{{map { (split ' ')[0] => 1 } keys %drawn}}))
    if keys %{{map { (split ' ')[0] => 1 } keys %drawn}} != @executions;
exit($failures > 0);
