#!/usr/bin/env perl
# Compares a picture in SVG with the explanation in JSON that it is of.
#
# usage: check.pl JSON SVG
use strict;
use warnings;
use JSON::PP;

die "usage: check.pl JSON SVG\n" unless @ARGV == 2;
my ($json_path, $svg_path) = @ARGV;
my $failures = 0;

sub fail { print "  @_\n"; $failures++; }

sub slurp {
    my ($path) = @_;
    open my $file, '<', $path or die "$path: $!\n";
    local $/;
    return scalar <$file>;
}

my $json = decode_json(slurp($json_path));
my $svg = slurp($svg_path);
my @executions = grep { $_ } $json->{example}, map({ $_->{execution} } @{$json->{core}}), $json->{hang};

# --- Boxes: every event of every execution, in no other's way, and inside its places ---

my $number = '[\d.-]+';
my ($width, $height) = $svg =~ /<svg [^>]*viewBox="0 0 ($number) ($number)"/ or fail('the picture has no size');
my (@nodes, @places);
while ($svg =~ /<rect class="(event|place)" x="($number)" y="($number)" width="($number)" height="($number)"[^>]*>\n((?:<text.*\n)*)/g) {
    my ($kind, $texts, %box) = ($1, $6, left => $2, top => $3, right => $2 + $4, bottom => $3 + $5);
    $box{text} = join "\n", $texts =~ />([^<\n]+)</g;
    $box{text} =~ s/  / /g;
    push @{$kind eq 'event' ? \@nodes : \@places}, \%box;
}
sub overlap {
    my ($a, $b) = @_;
    return $a->{left} < $b->{right} && $b->{left} < $a->{right} && $a->{top} < $b->{bottom} && $b->{top} < $a->{bottom};
}
sub inside {
    my ($a, $b) = @_;
    return $b->{left} <= $a->{left} && $a->{right} <= $b->{right} && $b->{top} <= $a->{top} && $a->{bottom} <= $b->{bottom};
}
my %wanted;
$wanted{"$_->{name} line $_->{line}"}++ for map { @{$_->{events}} } @executions;
for my $event (keys %wanted) {
    my $found = grep { $_->{text} =~ /^\Q$event\E$/m } @nodes;
    fail("$event is there $found times, not $wanted{$event}") if $found != $wanted{$event};
}
my %whole = (left => 0, top => 0, right => $width, bottom => $height);
for my $i (0 .. $#nodes) {
    my $name = ($nodes[$i]{text} =~ /^(.*)$/m)[0];
    fail("$name is outside the picture") unless inside($nodes[$i], \%whole);
    fail("$name and another event overlap") if grep { overlap($nodes[$i], $nodes[$_]) } 0 .. $i - 1;
    next if $name =~ /^init:/;
    fail("$name is in no place") unless grep { inside($nodes[$i], $_) } @places;
}

# --- Edges: those of the JSON, with their labels, and no other of these relations ---

my (%drawn, %legend);
while ($svg =~ m{<g class="edge"><title>(([^:]*): [^<]*)</title>(.*)</g>}g) {
    my ($title, $relation, $label) = ($1, $2, $3);
    $drawn{$title}++;
    $legend{$relation} = 1;
    fail("$title has no label") if $relation ne 'po' && $label !~ />\Q$relation\E</;
}
for my $relation (keys %legend) {
    fail("'$relation' is not in the legend") unless $svg =~ m{<g class="legend">(?:<path[^\n]*\n)*<text[^>]*>\Q$relation\E(?::|<)};
}
my %known;
for my $execution (@executions) {
    for my $edge (@{$execution->{edges}}) {
        my $apart = ($edge->{from} =~ /^(P\d+)/)[0] // '';
        next if $edge->{from} =~ /^init:/ || ($edge->{relation} eq 'barrier' && $edge->{to} =~ /^$apart:/);
        $known{"$edge->{relation}: $edge->{from} to $edge->{to}"}++;
    }
}
for my $edge (keys %known) {
    my $times = $drawn{$edge} // 0;
    fail("$edge is drawn $times times, not $known{$edge}") if $times != $known{$edge};
}
for my $edge (keys %drawn) {
    fail("$edge is not in the explanation") if $edge =~ /^(rf|sync|barrier): (?!init)/ && !$known{$edge};
}
fail('no edge is emphasised') if @{$json->{core}} && $svg !~ /font-weight="bold"/;
fail('no title, or no description') unless $svg =~ /^<svg role="img"/ && $svg =~ /^<desc>An execution/m;
exit($failures > 0);
