#!/usr/bin/perl
# Prints the library as JSON, for the page: a list of {topic, name, text}. usage: library.pl FOLDER
use strict;
use warnings;
use JSON::PP;

my $folder = shift // die "usage: library.pl FOLDER\n";
my @tests;
for my $path (sort glob("$folder/*/*.litmus")) {
    my ($topic, $name) = $path =~ m{([^/]+)/([^/]+)\.litmus$};
    open my $file, '<:encoding(UTF-8)', $path or die "$path: $!\n";
    local $/;
    push @tests, {topic => $topic, name => $name, text => scalar <$file>};
}
@tests or die "$folder has no tests\n";
print JSON::PP->new->canonical->utf8->encode(\@tests);
