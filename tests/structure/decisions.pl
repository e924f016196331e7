#!/usr/bin/env perl
# Decisions of the memory model are cited by name. Their numbers are in docs/memory-model/decisions.md alone, once each,
# and what follows "memory-model:" is a name that has a heading there.
#
# usage: decisions.pl        (in the project's folder)
use strict;
use warnings;

my $page = 'docs/memory-model/decisions.md';
my ($files, $found, $cited) = (0, 0, 0);

# wrong(PLACE, WHAT)
sub wrong {
    print "$_[0]: $_[1]\n";
    $found++;
}

sub text_of {
    my ($path) = @_;
    open my $file, '<', $path or die "$path: $!\n";
    local $/;
    return scalar <$file>;
}

my (%names, %numbers);
my $text = text_of($page);
while ($text =~ /^### (.+)\n\n(?:D([0-9]+)\. )?/mg) {
    my ($name, $number) = ($1, $2);
    $names{lc $name} = 1;
    wrong($page, "'$name' has no number") if !defined $number;
    wrong($page, "D$number is there twice") if defined $number && $numbers{$number}++;
}

chomp(my @paths = `find \$(cat tests/structure/rooms.txt) docs install editors tests *.md CMakeLists.txt -type f`);
for my $path (sort @paths) {
    next unless $path =~ /\.(c|h|def|cat|litmus|md|sh|pl|in|txt|case|err|json|vim)$/;
    next if $path eq $page || $path eq 'tests/structure/decisions.pl';
    $files++;
    my $text = text_of($path);
    my $line = 1;
    for (split /\n/, $text, -1) {
        # D10-hang-behind-spin is a file's name.
        wrong("$path:$line", "'$1': cite the decision by the name that it has in $page") if /\b(D[0-9]{1,2})\b(?!-[a-z])/;
        $line++;
    }
    $text =~ s/\n[ \t]*(?:\/\/|#)[ \t]*/ /g; # a name may be on two lines of a comment
    while ($text =~ /memory-model: (?!sections? )([^\n()":;]+)/g) {
        for my $name (split /, /, $1) {
            $cited++;
            $name =~ s/[. ]+$//;
            wrong($path, "'$name' is not the name of a decision in $page") if !$names{lc $name};
        }
    }
}
printf "%d decisions, cited by %d comments; %d files, %d to correct\n", scalar keys %names, $cited, $files, $found;
exit($found > 0 || $files < 500 || keys %names < 50 || $cited < 30);
