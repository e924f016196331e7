#!/usr/bin/perl
# Prints the course as JSON, for the page: a list of pages, {title, file, blocks}, one for each heading of the texts.
# usage: course.pl FILE.md...
#
# A block is {kind: "paragraph", parts}, {kind: "list", items: [parts...]}, {kind: "code", text},
# {kind: "session", runs: [{command, printed}...]} or {kind: "answer", summary, blocks}. Parts are texts, {code: text},
# {strong: parts}, {em: parts} and {link: address, parts}. Markdown that is none of these is refused: no text is lost.
use strict;
use warnings;
use JSON::PP;

my @files = @ARGV;
my ($path, @lines); # the file that is read, and its lines that are left
my $count;          # of lines in the file

sub refuse {
    my ($what) = @_;
    die sprintf "%s:%d: the page cannot show %s\n", $path, $count - @lines, $what;
}

# Returns the name of a file, without its folder.
sub name_of {
    my ($file) = @_;
    $file =~ s{.*/}{};
    return $file;
}

# Returns the address of a link: one of the course's files, or another site.
sub address_of {
    my ($address) = @_;
    return $address if $address =~ m{^https://} || grep { $_ eq $address } map { name_of($_) } @files;
    refuse("a link to \"$address\", which is not a part of the course");
}

# Returns the parts of a text of one paragraph.
sub parts_of {
    my ($text) = @_;
    my @parts;
    while (length $text) {
        if ($text =~ s/^`([^`]+)`//) {
            push @parts, {code => $1};
        } elsif ($text =~ s/^\*\*(.+?)\*\*//) {
            push @parts, {strong => parts_of($1)};
        } elsif ($text =~ s/^\*(.+?)\*//) {
            push @parts, {em => parts_of($1)};
        } elsif ($text =~ s/^\[((?:`[^`]*`|[^\]`])+)\]\(([^)\s]+)\)//) {
            my $words = $1;
            push @parts, {link => address_of($2), parts => parts_of($words)};
        } elsif ($text =~ s/^([^`*\[<&!\\]+|&(?![#\w]+;)|!(?!\[)|<(?![a-zA-Z\/!]))//) {
            push @parts, $1;
        } else {
            refuse('"' . substr($text, 0, 20) . '"');
        }
    }
    return \@parts;
}

# Returns the text of a fenced block, of which the first line has been taken.
sub fenced {
    my $text = '';
    while (@lines) {
        my $line = shift @lines;
        return $text if $line =~ /^```$/;
        $text .= "$line\n";
    }
    refuse('a block without an end');
}

# Returns the runs of a session: each command after "$ ", and what it prints.
sub runs_of {
    my ($text) = @_;
    my @runs;
    for my $line (split /\n/, $text) {
        if ($line =~ /^\$ (.*)/) {
            push @runs, {command => $1, printed => ''};
        } else {
            refuse('a session that does not begin with a command') unless @runs;
            $runs[-1]{printed} .= "$line\n";
        }
    }
    $_->{printed} =~ s/\n+$/\n/ for @runs;
    return \@runs;
}

# Returns the lines from the given one to the next that is empty or begins another block, as one text.
sub paragraph {
    my ($text) = @_;
    while (@lines && $lines[0] =~ /\S/ && $lines[0] !~ /^(?:```|- |#|<)/) {
        (my $line = shift @lines) =~ s/^\s+//;
        $text .= " $line";
    }
    return $text;
}

# Returns the block that begins with a line.
sub block_of {
    my ($line) = @_;
    return {kind => 'session', runs => runs_of(fenced())} if $line eq '```console';
    return {kind => 'code', text => fenced()} if $line =~ /^```\w*$/;
    if ($line =~ /^- /) {
        my @items = (parts_of(paragraph(substr $line, 2)));
        push @items, parts_of(paragraph(substr shift @lines, 2)) while @lines && $lines[0] =~ /^- /;
        return {kind => 'list', items => \@items};
    }
    if ($line =~ m{^<details><summary>([^<]*)</summary>$}) {
        return {kind => 'answer', summary => $1, blocks => blocks('</details>')};
    }
    refuse("\"$line\"") if $line =~ /^(?:[|>\s#]|\d+\. |[*+] |<)/;
    return {kind => 'paragraph', parts => parts_of(paragraph($line))};
}

# Returns the blocks to the line `end`, which is taken, or, without one, to the next heading or the end of the file.
sub blocks {
    my ($end) = @_;
    my @blocks;
    while (@lines) {
        return \@blocks if !defined $end && $lines[0] =~ /^#/;
        my $line = shift @lines;
        return \@blocks if defined $end && $line eq $end;
        push @blocks, block_of($line) if $line =~ /\S/;
    }
    refuse("a part without $end") if defined $end;
    return \@blocks;
}

@files or die "usage: course.pl FILE.md...\n";
my @pages;
for (@files) {
    $path = $_;
    open my $file, '<:encoding(UTF-8)', $path or die "$path: $!\n";
    chomp(@lines = <$file>);
    $count = @lines;
    while (@lines) {
        my $line = shift @lines;
        next unless $line =~ /\S/;
        my ($title) = $line =~ /^##? (.+)/ or refuse("\"$line\" before a heading");
        push @pages, {title => $title, file => name_of($path), blocks => blocks()};
    }
}
print JSON::PP->new->canonical->utf8->encode(\@pages);
