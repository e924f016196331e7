#!/usr/bin/env perl
# Fills in what `inspect --sidecar` prints for patterns.ptx: of each kernel at system scope, as many blocks as patterns.txt says, its first
# values, and its outcome with what is expected.
#
# usage: fill.pl PATTERNS < SIDECAR
use strict;
use warnings;

my %patterns;
open my $in, '<', $ARGV[0] or die "$ARGV[0]: $!\n";
while (<$in>) {
    $patterns{$1} = [$2, $3, $4] if /^(\w+)\s+(\d+)\s+(\w+)\s+\w+\s+(.*)$/;
}
local $/ = '';
while (my $block = <STDIN>) {
    next unless $block =~ /^kernel _Z\d+([a-z_]+)ILi0E/m && $patterns{$1};
    my ($blocks, $verdict, $outcome) = @{$patterns{$1}};
    my ($prefix) = $block =~ /^global (k\d+)_arg0/m;
    my %objects = (x => "${prefix}_arg0", y => "${prefix}_arg1", out => "${prefix}_arg2");
    $outcome =~ s/\b(x|y|out)\[/$objects{$1}\[/g;
    $block =~ s/grid 1,1,1/grid $blocks/;
    $block =~ s/^(global ${prefix}_arg2\[16\])$/"$1 = {" . join(', ', (7) x 16) . '}'/me;
    $block =~ s/^exists .*$/exists ($outcome)\nexpect $verdict/m;
    print $block;
}
