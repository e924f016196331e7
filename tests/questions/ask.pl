#!/usr/bin/perl
# Asks questions on asynchronous operations whose answers were derived from sentences of the PTX ISA alone, before any of
# them was run:
#
#   tests/questions/ask.pl PTXLITMUS FILE...
#
# A file has programs, each followed by the questions on it:
#
#   == the section of the ISA, and what is asked
#   the program: declarations and threads
#   ? name | answer | change; change ... | condition
#
# An answer is what `expect` takes (`forbidden, no race`), or `undefined FLAG`: some execution has this flag, and there is
# no verdict. A change is `/pattern/replacement/` (all matches; a question's changes must change something), and without a
# condition that of the question before it holds.
use strict;
use warnings;
use File::Temp qw(tempdir);

my $program = shift or die "usage: ask.pl PTXLITMUS FILE...\n";
my $folder = tempdir(CLEANUP => 1);
my (%answer, @order, $failures);

sub fail { print "$_[0]\n"; $failures++; }

sub trim { my $text = shift // ''; $text =~ s/^\s+|\s+$//g; return $text; }

# The program after the changes of a question; dies where one of them changes nothing.
sub changed {
    my ($text, $changes, $name) = @_;
    for my $change (grep { length } map { trim($_) } split /;;/, $changes) {
        my (undef, $pattern, $new) = split m{/}, $change, -1;
        defined $new or die "$name: '$change' is not /pattern/replacement/\n";
        $new =~ s/\\n/\n/g;
        $pattern =~ s{\{(?!\d)}{\\\{}g; # a brace of the program, not of the pattern
        $text =~ s/$pattern/$new/g or die "$name: nothing matches '$pattern'\n";
    }
    return $text;
}

sub write_question {
    my ($name, $text, $answer, $condition) = @_;
    die "$name: asked twice\n" if exists $answer{$name};
    $answer{$name} = $answer;
    push @order, $name;
    my $expect = $answer =~ /^undefined / ? '' : "expect $answer;\n";
    open my $file, '>', "$folder/$name.litmus" or die "$folder/$name.litmus: $!\n";
    print $file "PTX $name\n$text$condition\n$expect";
    close $file or die "$!\n";
}

sub read_questions {
    my $path = shift;
    my ($text, $condition, $asked) = ('', '', 1);
    open my $file, '<', $path or die "$path: $!\n";
    while (my $line = <$file>) {
        next if $line =~ /^#/;
        if ($line =~ /^==/) { ($text, $condition) = ('', ''); next; }
        if ($line !~ /^\?/) { $text .= $line; next; }
        my ($name, $answer, $changes, $if) = map { trim($_) } split /\|/, substr($line, 1), 4;
        $condition = $if if defined $if && length $if;
        length $condition or die "$path: $name has no condition\n";
        write_question($name, changed($text, $changes // '', $name), $answer, $condition);
    }
}

# Whether the result of a question, of the program's JSON, is its answer.
sub judge {
    my ($name, $out) = @_;
    if ($answer{$name} =~ /^undefined (.*)/) {
        my $flag = $1;
        fail("$name: Flag $flag is expected:\n$out") if $out !~ /^Flag \Q$flag\E$/m || $out =~ /^Observation \S+ (Never|Always)/m;
    } elsif ($out =~ /: failed:|error:|undecided|Unknown/ && $answer{$name} !~ /unreachable|hang/) {
        fail("$name: $answer{$name} is expected:\n$out");
    } elsif ($out =~ /: failed:|error:/ || $out !~ /^Observation /m) {
        fail("$name: $answer{$name} is expected:\n$out");
    }
}

read_questions($_) for @ARGV;
for my $name (@order) {
    my $out = `cd $folder && "$program" --timeout 60 $name.litmus 2>&1`;
    judge($name, $out);
}
printf "%d questions, %d with another answer\n", scalar @order, $failures // 0;
exit($failures || !@order ? 1 : 0);
