#!/usr/bin/env perl
# Opcodes are compared by equality, and never by their order in the enumeration: what is asked of several of them is a column
# of litmus/opcodes.def (opcode_family, opcode_effects, opcode_has), and a new row may be anywhere. Few files name opcodes at
# all: those that read or make instructions, or say what one computes.
#
# usage: opcodes.pl        (in the project's folder)
use strict;
use warnings;
my $order = qr/(?<![-<>])[<>]=?(?![<>=])/; # not those of -> and of shifts
my $files_most = 40; # of the rooms
my ($bad, $named, $files) = (0, 0, 0);
chomp(my @paths = `find \$(cat tests/structure/rooms.txt) tests/oracle tests/unit -name '*.[ch]'`);
for my $path (sort @paths) {
    open my $file, '<', $path or die "$path: $!\n";
    my $text = join '', map { s{//.*}{}r } <$file>;
    my $here = () = $text =~ /\bOP_[A-Z]/g;
    $named += $here;
    $files += $here > 0 && $path !~ /^tests/;
    while ($text =~ /$order\s*OP_[A-Z]|\bOP_[A-Z_0-9]+\s*$order|\bopcode\s*$order(?!\s*OPCODE_COUNT)/g) {
        my $line = 1 + (substr($text, 0, $-[0]) =~ tr/\n//);
        (my $what = $&) =~ s/\s+/ /g;
        print "$path:$line: '$what' compares opcodes by their order\n";
        $bad = 1;
    }
}
if ($files > $files_most) {
    print "$files files of the rooms name opcodes, and $files_most should be enough: ask for a column of litmus/opcodes.def\n";
    $bad = 1;
}
die "$named names of opcodes only: the patterns are wrong\n" if $named < 500;
exit $bad;
