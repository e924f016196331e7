#!/usr/bin/env perl
# Every function that a header declares or defines has a comment of its own: above it, or at the end of its line.
#
# usage: headers.pl        (in the project's folder)
use strict;
use warnings;
my ($bare, $functions) = (0, 0);
chomp(my @headers = `find \$(cat tests/structure/rooms.txt) -path harness/runtime -prune -o -name '*.h' -print`);
for my $path (sort @headers) {
    open my $file, '<', $path or die "$path: $!\n";
    my @lines = <$file>;
    my $inside = 0; # of a struct, an enum or a body
    for (my $i = 0; $i < @lines; $i++) {
        my $line = $lines[$i];
        my $code = $line =~ s{//.*|/\*.*?\*/}{}r;
        my $opens = () = $code =~ /\{/g;
        my $closes = () = $code =~ /\}/g;
        my $outside = $inside == 0;
        $inside += $opens - $closes;
        next unless $outside;
        # The first line of a function: it begins in the first column and is not a directive, type or typedef.
        next unless $code =~ /^[a-z_A-Z].*[a-z_0-9]\(/ || $code =~ /^[a-z].*\*$/ && ($lines[$i + 1] // '') =~ /^[a-z_]+\(/;
        next if $code =~ /^(typedef|return|#|BASE_|OPCODE|OPTION|extern)/;
        next if $code =~ /^[a-z_0-9]+\(/ && $i > 0 && $lines[$i - 1] =~ /\*$/;
        $functions++;
        my $above = $i > 0 ? $lines[$i - 1] : '';
        $above = $i > 1 ? $lines[$i - 2] : '' if $above =~ /^(__attribute__|_Noreturn)/;
        my $end = $i;
        $end++ while $lines[$end] !~ /[;{]\s*(\/\/.*|\/\*.*)?$/ && $end + 1 < @lines;
        next if $above =~ m{^//|\*/\s*$} || join('', @lines[$i .. $end]) =~ m{//|/\*};
        printf "%s:%d: no comment says what this takes and returns: %s", $path, $i + 1, $line;
        $bare++;
    }
}
printf "%d functions, %d without a comment\n", $functions, $bare;
exit($bare > 0 || $functions < 100);
