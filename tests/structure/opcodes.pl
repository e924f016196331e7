#!/usr/bin/env perl
# Opcodes are compared by equality, and never by their order in the enumeration: what is asked of several of them is a column
# of litmus/opcodes.def (opcode_family, opcode_effects), and a new row may be anywhere.
#
# usage: opcodes.pl        (in the project's folder)
use strict;
use warnings;
my $order = qr/(?<![-<>])[<>]=?(?![<>=])/; # not those of -> and of shifts
my ($bad, $named) = (0, 0);
chomp(my @paths = `find \$(cat tests/structure/rooms.txt) tests/oracle tests/unit -name '*.[ch]'`);
for my $path (sort @paths) {
    open my $file, '<', $path or die "$path: $!\n";
    my $text = join '', map { s{//.*}{}r } <$file>;
    $named += () = $text =~ /\bOP_[A-Z]/g;
    while ($text =~ /$order\s*OP_[A-Z]|\bOP_[A-Z_0-9]+\s*$order|\bopcode\s*$order(?!\s*OPCODE_COUNT)/g) {
        my $line = 1 + (substr($text, 0, $-[0]) =~ tr/\n//);
        (my $what = $&) =~ s/\s+/ /g;
        print "$path:$line: '$what' compares opcodes by their order\n";
        $bad = 1;
    }
}
die "$named names of opcodes only: the patterns are wrong\n" if $named < 500;
exit $bad;
