#!/usr/bin/env perl
# The structure of pages: elements are closed in order, identifiers are unique, links lead somewhere, nothing is loaded
# from elsewhere, no script is needed, tables and pictures have words, and colours have contrast.
#
# usage: check.pl PAGE...
use strict;
use warnings;

my %void = map { $_ => 1 } qw(meta br link img hr);
my $failures = 0;
my $page;

sub fail { print "  $page: @_\n"; $failures++; }

sub luminance {
    my @parts = map { my $c = hex($_) / 255; $c <= 0.03928 ? $c / 12.92 : (($c + 0.055) / 1.055)**2.4 } $_[0] =~ /#(..)(..)(..)/;
    return 0.2126 * $parts[0] + 0.7152 * $parts[1] + 0.0722 * $parts[2];
}

sub contrast {
    my ($a, $b) = sort { $b <=> $a } map { luminance($_) } @_;
    return ($a + 0.05) / ($b + 0.05);
}

# Text and links on what they may be on, in each of the three sets of colours.
sub check_colours {
    my ($text) = @_;
    my $sets = 0;
    while ($text =~ /:root \{([^}]*)\}/g) {
        my %colour = $1 =~ /--([a-z]+): (#[0-9a-f]{6})/g;
        $sets++;
        for my $front (qw(text link)) {
            for my $back (qw(back soft mark)) {
                my $ratio = contrast($colour{$front}, $colour{$back});
                fail(sprintf '%s on %s: %.2f', $front, $back, $ratio) if $ratio < 4.5;
            }
        }
        fail('lines') if contrast($colour{line}, $colour{back}) < 3;
    }
    fail("$sets sets of colours") if $sets != 3;
}

sub check_elements {
    my ($text) = @_;
    my (@open, %ids, @links);
    while ($text =~ /<(\/?)([a-zA-Z][a-zA-Z0-9]*)((?:\s+[a-zA-Z:-]+(?:="[^"]*")?)*)\s*(\/?)>/g) {
        my ($end, $name, $attributes, $single) = ($1, $2, $3, $4);
        my %has = $attributes =~ /([a-zA-Z:-]+)="([^"]*)"/g;
        if ($end) {
            fail("</$name> closes <" . ($open[-1] // '') . '>') if !@open || pop(@open) ne $name;
            next;
        }
        push @open, $name unless $single || $void{$name};
        fail("identifier '$has{id}' twice") if exists $has{id} && $ids{$has{id}}++;
        push @links, $has{href} if $name eq 'a' && $has{href};
        fail("<$name> loads something") if exists $has{src} || ($name eq 'link');
        fail('a script') if $name eq 'script' && ($has{type} // '') ne 'application/json';
        fail('a script in an attribute') if grep { /^on/ } keys %has;
        fail('a heading of a column or row without scope') if $name eq 'th' && !$has{scope};
        fail('a picture without a role') if $name eq 'svg' && ($has{role} // '') ne 'img';
    }
    fail("<@open> not closed") if @open;
    for my $link (@links) {
        if ($link =~ /^#(.*)/) { fail("no '$1' to link to") unless $ids{$1}; }
        else { fail("a link to '$link'") unless $link =~ /^[\w.+-]+\.html$/ && -e ($page =~ s/[^\/]*$//r) . $link; }
    }
}

for my $path (@ARGV) {
    $page = $path;
    open my $file, '<:encoding(UTF-8)', $path or die "$path: $!\n";
    my $text = do { local $/; <$file> };
    fail('no type of document') unless $text =~ /^<!DOCTYPE html>\n<html lang="en">/;
    fail('no title') unless $text =~ /<title>[^<]+<\/title>/;
    fail('an address') if $text =~ /(?:href|src|url)[=(]["']?https?:/;
    fail('a drawing without title and description') if () = ($text =~ /<svg role="img"[^>]*>\n<title>(?![^<]+<\/title>\n<desc>[^<]+<\/desc>)/g);
    fail('levels of headings') unless $text =~ /<h1>/ && $text !~ /<h1>.*<h1>/s;
    check_colours($text);
    check_elements($text =~ s/<style>.*?<\/style>//sr =~ s/(<script type="application\/json"[^>]*>).*?<\/script>/$1<\/script>/sr);
}
print scalar(@ARGV), " pages, $failures failures\n";
exit($failures > 0 || !@ARGV);
