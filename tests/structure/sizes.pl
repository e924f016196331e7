#!/usr/bin/env perl
# No header of the rooms has more than 300 lines, and no struct more than 30 fields, but for those that sizes.txt names, with
# the reason. What harness/runtime has is a program of its own. No function of the rooms has more than 60 lines, and none of the
# unit tests more than 70, most of which are a table.
#
# usage: sizes.pl [--list]     in the project's folder; --list prints the ten largest of each
use strict;
use warnings;
my ($lines_most, $fields_most) = (300, 30);
my $list = @ARGV && $ARGV[0] eq '--list';

# How many fields a struct has whose lines, without the first and the last, are these: the declarators.
sub fields {
    my $text = join '', map { s{//.*|/\*.*?\*/}{}r } @_;
    1 while $text =~ s/\([^()]*\)//g;
    1 while $text =~ s/\{[^{}]*\}//g; # a struct inside is one field
    return $text =~ tr/;,//;
}

# "struct TAG" or the path of a header: how large it is, and where.
my (%size, %place, %is_header);
chomp(my @paths = `find \$(cat tests/structure/rooms.txt) -path harness/runtime -prune -o -name '*.[ch]' -print`);
for my $path (sort @paths) {
    open my $file, '<', $path or die "$path: $!\n";
    my @lines = <$file>;
    ($size{$path}, $place{$path}, $is_header{$path}) = (scalar @lines, $path, 1) if $path =~ /\.h$/;
    for (my $i = 0; $i < @lines; $i++) {
        next unless $lines[$i] =~ /^(?:typedef )?(struct [a-z_0-9]+) \{/;
        my ($tag, $begin) = ($1, $i + 1);
        $i++ while $i < $#lines && $lines[$i] !~ /^\}/;
        ($size{$tag}, $place{$tag}) = (fields(@lines[$begin .. $i - 1]), "$path:$begin");
    }
}
my @headers = grep { $is_header{$_} } keys %size;
my @structs = grep { !$is_header{$_} } keys %size;
die 'found ' . @headers . ' headers and ' . @structs . " structs only: the patterns are wrong\n"
    if @headers < 50 || @structs < 100;

my %allowed;
open my $exceptions, '<', 'tests/structure/sizes.txt' or die "sizes.txt: $!\n";
while (<$exceptions>) {
    next if /^(#|$)/;
    /^([^:]+): \S/ or die "sizes.txt: a line is 'NAME: why', and not: $_";
    $allowed{$1} = 1;
}

# How many lines each function of these folders has, by its place.
sub functions {
    my ($folders) = @_;
    my %lines;
    for my $path (split /\n/, `find $folders -path harness/runtime -prune -o -name '*.c' -print`) {
        open my $file, '<', $path or die "$path: $!\n";
        my $begin = 0;
        while (<$file>) {
            $begin = $. if /^[a-z].*\) \{$/i;
            next unless /^\}$/ && $begin;
            $lines{"$path:$begin"} = $. - $begin + 1;
            $begin = 0;
        }
    }
    return %lines;
}

my $bad = 0;
my $functions = 0;
for ([60, '$(cat tests/structure/rooms.txt)'], [70, 'tests/unit']) {
    my ($most, $folders) = @$_;
    my %lines = functions($folders);
    $functions += keys %lines;
    for my $place (sort grep { $lines{$_} > $most } keys %lines) {
        print "$place: a function of $lines{$place} lines, more than $most\n";
        $bad = 1;
    }
}
die "found $functions functions only: the pattern is wrong\n" if $functions < 5000;
for my $name (sort keys %size) {
    my ($most, $unit) = $is_header{$name} ? ($lines_most, 'lines') : ($fields_most, 'fields');
    next if $size{$name} <= $most || delete $allowed{$name};
    printf "%s: %s has %d %s, more than %d\n", $place{$name}, $name, $size{$name}, $unit, $most;
    $bad = 1;
}
for my $name (sort keys %allowed) {
    print "sizes.txt allows what is not there, or not too large: $name\n";
    $bad = 1;
}
for my $names ($list ? (\@headers, \@structs) : ()) {
    my @largest = (sort { $size{$b} <=> $size{$a} || $a cmp $b } @$names)[0 .. 9];
    printf "%5d %s\n", $size{$_}, $_ for @largest;
}
printf "%d headers, %d structs, %d functions\n", scalar @headers, scalar @structs, $functions;
exit $bad;
