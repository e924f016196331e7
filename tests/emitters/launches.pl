#!/usr/bin/perl
# What `check` says of each kernel of some modules, launched by a derived launch: free, found, not decided or refused.
#
#   tests/emitters/launches.pl PROGRAM FOLDER [LIST]
#
# FOLDER has the modules, named EMITTER-NAME-TARGET.ptx, as inspect.sh leaves them there. LIST gets a line for each kernel:
# module, kernel, answer, and why. Prints a table of the answers by emitter, and the reasons where there is none.
use strict;
use warnings;
use JSON::PP;

my ($program, $folder, $list) = @ARGV;
die "usage: launches.pl PROGRAM FOLDER [LIST]\n" unless defined $folder;
my $seconds = $ENV{SECONDS_EACH} // 20;

sub slurp {
    my ($path) = @_;
    open my $in, '<:raw', $path or die "$path: $!\n";
    local $/;
    return scalar <$in>;
}

sub kernels_of {
    my ($path) = @_;
    return slurp($path) =~ /^\s*(?:\.visible\s+|\.weak\s+)*\.entry\s+([\w\$]+)/mg;
}

# The answer and why, of what `check` prints.
sub answer_of {
    my ($text, $status) = @_;
    my ($line) = grep { /^\{/ } reverse split /\n/, $text;
    my $json = defined $line ? eval { decode_json($line) } : undef;
    return ('no answer', "status $status") unless $json;
    my $why = $json->{error} // $json->{reason} // $json->{run}{why} // '';
    return ($status == 2 ? 'refused' : 'not decided', $why) if $json->{error};
    my $run = $json->{run} // {};
    my @flags = map { ref $_ ? $_->{name} // $_->{flag} // '?' : $_ } @{$json->{flags} // []};
    return ('found', join ' ', sort @flags) if @flags;
    return ('found', 'hang') if ($json->{progress}{terminates} // '') eq 'not always';
    return ($run->{shared} ? 'free' : 'nothing shared', $run->{orders} ? 'orders' : '') if $run->{decides};
    return ('free', 'searched') if $json->{complete} && $json->{clean};
    return ('not decided', $why);
}

my (%table, %reasons, %answers);
opendir my $dir, $folder or die "$folder: $!\n";
my @modules = sort grep { /\.ptx$/ } readdir $dir;
open my $out, '>', $list // '/dev/null' or die "$list: $!\n";
$out->autoflush(1);
for my $module (@modules) {
    my ($emitter) = $module =~ /^(\w+)-/;
    for my $kernel (kernels_of("$folder/$module")) {
        my $text = `timeout @{[2 * $seconds + 10]} $program check --no-fix --format json --timeout $seconds '$folder/$module' '$kernel' 2>&1`;
        my ($answer, $why) = answer_of($text, $? >> 8);
        $table{$emitter}{$answer}++;
        $answers{$answer}++;
        $why =~ s/\s+/ /g;
        $reasons{"$answer: $why"}++ unless $answer =~ /free|shared/;
        print $out join("\t", $module, $kernel, $answer, $why), "\n";
    }
}

my @columns = ('free', 'nothing shared', 'found', 'not decided', 'refused', 'no answer');
printf "| emitter | kernels | %s |\n| --- | %s\n", join(' | ', @columns), '---: | ' x (@columns + 1);
for my $emitter (sort keys %table) {
    my $all = 0;
    $all += $_ for values $table{$emitter}->%*;
    printf "| %s | %d | %s |\n", $emitter, $all, join ' | ', map { $table{$emitter}{$_} // 0 } @columns;
}
print "\n";
printf "%5d  %s\n", $reasons{$_}, $_ for sort { $reasons{$b} <=> $reasons{$a} || $a cmp $b } keys %reasons;
