#!/usr/bin/env perl
# Each word of the glossary that steps 1 to 4 of the course use is explained there before, or where it comes first: in
# bold, in the same paragraph. What is explained in an answer, which is folded, counts for that answer alone. Outputs count as
# uses; the tests and inline code do not.
#
# usage: course.pl [PAGE]
use strict;
use warnings;

my $page = $ARGV[0] // 'docs/memory-scopes.md';
my $last_step = 4;
# Words that a programmer of CUDA knows, or that are used here in their everyday sense.
my %known = map { $_ => 1 } qw(thread block GPU kernel read write reads writes load store value instruction register always
    allowed forbidden unknown model line file location host system cluster warp barrier atomic address place
    expected), 'initial value';

sub slurp { local (@ARGV, $/) = $_[0]; return scalar <> }

# The terms, each with the other forms that the glossary gives: "- **acquire** (also acquires, ...)".
my %form_of;
for (slurp('docs/glossary.md') =~ /^- \*\*([^*]+)\*\*/mg) {
    my $term = $_;
    next if $known{$term} || $term =~ /[^a-zA-Z -]/;
    $form_of{lc $_} = $term for $term, "${term}s", "${term}d", "${term}ed", $term =~ /^(.*)s$/ ? $1 : ();
}
# Patterns that find a form are made once: they are looked for a thousand times.
my %used = map { $_ => qr/(?<![\w.-])\Q$_\E(?![\w-])/i } keys %form_of;
my ($course) = slurp($page) =~ /^(## 1\. .*?)(?=^## @{[$last_step + 1]}\. )/ms or die "$page has no steps 1 to $last_step\n";
my (%checked, %explains);

# The uses that nothing explains before, each told once.
sub unexplained {
    my ($course) = @_;
    my (%explained, %in_answer, @found);
    my ($answer, $code, $output, $step) = (0, 0, 0, 0);
    for my $paragraph (split /\n{2,}/, $course) {
        $step = $1 if $paragraph =~ /^## (\d+)/m;
        $answer = 1 if $paragraph =~ /<details>/;
        my $text = '';
        for (split /\n/, $paragraph) {
            if (/^```/) { $code = !$code; $output = 0; next }
            $output = !/ show / if $code && /^\$ /;
            next if $code && (!$output || /^\$ /);
            my $line = $_;
            $line =~ s/`[^`]*`//g if !$code;
            $text .= "$line\n";
        }
        for my $bold (map { lc } $text =~ /\*\*([^*]+)\*\*/g) {
            my $term = $form_of{$bold} // next;
            ($answer ? $in_answer{$term} : $explained{$term}) = 1;
            $explains{$bold} = 1 if !$answer;
        }
        my $lower = lc $text;
        for my $form (sort keys %form_of) {
            my $term = $form_of{$form};
            next if index($lower, $form) < 0 || $text !~ $used{$form};
            $checked{$form} = 1;
            next if $explained{$term} || $in_answer{$term};
            my ($line) = $text =~ /([^\n]*\b\Q$form\E\b[^\n]*)/i;
            push @found, "step $step: '$form' is used before it is explained: $line";
            $explained{$term} = 1;
        }
        if ($paragraph =~ /<\/details>/) { $answer = 0; %in_answer = () }
    }
    return @found;
}

my @found = unexplained($course);
print "$_\n" for @found;
# What is no longer explained is noticed.
my $noticed = 0;
for my $word (sort keys %explains) {
    (my $without = $course) =~ s/\*\*(\Q$word\E)\*\*/$1/gi;
    $noticed++ if unexplained($without) > @found;
}
printf "%d forms of the glossary used, %d words explained, %d of them noticed when they are not, %d failures\n",
    scalar(keys %checked), scalar(keys %explains), $noticed, scalar @found;
exit(@found > 0 || keys %checked < 15 || $noticed < 10);
