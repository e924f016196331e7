#!/usr/bin/perl
# Tests in which threads change tensormaps, each with one instruction left out, one exchanged with the next one, or one scope too
# narrow: no answer of a run contradicts that of a search.
#
#   tests/launch/tensormaps.pl BUILD [COUNT]
#
# COUNT: so many of these alone, spread over all.
use strict;
use warnings;
use FindBin;

my ($build, $count) = @ARGV;
die "usage: tensormaps.pl BUILD [COUNT]\n" unless defined $build;
my $folder = "/tmp/launch-tensormaps-$$";
mkdir $folder or die "$folder: $!\n";

# Statements that no loop, branch or value depends on.
sub may_change {
    my ($line) = @_;
    return $line =~ /^  .*;\s*$/ && $line !~ /W\d:|mov\.|bra|setp/;
}

my @tests;
for my $path (sort glob "$FindBin::Bin/../../litmus/library/*/*.litmus") {
    open my $in, '<', $path or die "$path: $!\n";
    my @lines = grep { !/^expect/ } <$in>;
    close $in;
    next unless grep(/tensormap\.|proxy\.tensormap/, @lines) && grep(/^P0.*\{/, @lines);
    my ($name) = $path =~ m{([^/]+)\.litmus$};
    for my $i (0 .. $#lines) {
        next unless may_change($lines[$i]);
        my @without = @lines;
        $without[$i] = "\n";
        push @tests, ["$name-without-$i", @without];
        if ($lines[$i] =~ /tensormap.*\.gpu/) {
            my @narrow = @lines;
            $narrow[$i] =~ s/\.gpu/.cta/;
            push @tests, ["$name-narrow-$i", @narrow];
        }
        if ($i < $#lines && may_change($lines[$i + 1])) {
            my @exchanged = @lines;
            @exchanged[$i, $i + 1] = @exchanged[$i + 1, $i];
            push @tests, ["$name-exchanged-$i", @exchanged];
        }
    }
}

my $stride = defined $count && $count < @tests ? int(@tests / $count) : 1;
my $made = 0;
for (my $i = 0; $i < @tests; $i += $stride, $made++) {
    my ($name, @lines) = $tests[$i]->@*;
    open my $out, '>', "$folder/$name.litmus" or die "$folder: $!\n";
    print $out @lines;
    close $out;
}
my $both = `$build/ptxlitmus check --method both --no-fix --timeout 20 $folder/*.litmus 2>&1`;
my @different = grep { /a run of it/ } split /\n/, $both;
my $run = `$build/ptxlitmus check --method run --no-fix $folder/*.litmus 2>/dev/null`;
my $decided = () = $run =~ /found by running/g;
print "FAIL: $_\n" for @different;
print "FAIL: the run decides $decided of $made, less than half\n" if 2 * $decided < $made;
printf "%d tests, %d decided by the run, %d different\n", $made, $decided, scalar @different;
system 'rm', '-rf', $folder unless $ENV{KEEP};
exit(@different || 2 * $decided < $made || $made == 0 ? 1 : 0);
