#!/usr/bin/perl
# JSON results of `lower --verify` on tests of shapes.pl, counted: lines of a table in Markdown, by lowering and shape.
use strict;
use warnings;
use FindBin;
use JSON::PP;
require "$FindBin::Bin/shapes.pl";
our @order;

my (%unsound, %defined, %open, %tables);
while (my $line = <STDIN>) {
    my $check = decode_json($line);
    next if $check->{error} || !$check->{result};
    my ($shape) = grep { index($check->{test}, "$_-") == 0 } sort { length $b <=> length $a } @order;
    my $key = "$check->{table} $shape";
    $tables{$check->{table}} = 1;
    next if $check->{result} eq 'undefined';
    $defined{$key}++;
    $unsound{$key}++ if $check->{result} eq 'unsound';
    $open{$key}++ if $check->{result} eq 'unknown';
}
my @shapes = @ARGV ? @ARGV : @order;
print '| table | ', join(' | ', @shapes), " |\n", '| --- ' x (1 + @shapes), "|\n";
for my $table (sort keys %tables) {
    my @cells = map { my $k = "$table $_"; $defined{$k} ? ($unsound{$k} // 0) . "/$defined{$k}" . ($open{$k} ? '?' : '') : '-' } @shapes;
    print "| `$table` | ", join(' | ', @cells), " |\n";
}
