#!/usr/bin/perl
# What `check` says of each kernel of some modules, launched by a derived launch: free, found, not decided or refused.
#
#   tests/emitters/launches.pl PROGRAM FOLDER [LIST [EXPECTED]]
#
# FOLDER has the modules, named EMITTER-NAME-TARGET.ptx, as inspect.sh leaves them there. LIST gets a line for each kernel:
# module, number of the kernel in it, answer, and why. Prints a table of the answers by emitter, and the reasons where there is
# none. Of a kernel in which a fault is found it says, too, whether the launch is free with one thread in each block: many
# kernels are made for that.
#
# Status 1 where EXPECTED, an earlier LIST, has another answer for a kernel, and neither of the two is that it is not decided.
use strict;
use warnings;
use JSON::PP;

my ($program, $folder, $list, $expected) = @ARGV;
die "usage: launches.pl PROGRAM FOLDER [LIST [EXPECTED]]\n" unless defined $folder;
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
    my @possible = @{$json->{possible_flags} // []};
    return ('not decided', 'possible: ' . join ' ', sort @possible) if @possible;
    return ($run->{shared} ? 'free' : 'nothing shared', $run->{orders} ? 'orders' : '') if $run->{decides};
    return ('free', 'searched') if $json->{complete} && $json->{clean};
    return ('not decided', $why);
}

sub check {
    my ($path, $kernel, @options) = @_;
    my $command = "$program check --no-fix --format json --timeout $seconds @options '$path' '$kernel'";
    my $text = `timeout @{[2 * $seconds + 10]} $command 2>&1`;
    return answer_of($text, $? >> 8);
}

my (%table, %reasons, %before);
if (defined $expected) {
    open my $in, '<', $expected or die "$expected: $!\n";
    while (<$in>) {
        my ($module, $number, $answer) = split /\t|\n/;
        $before{"$module $number"} = $answer unless /^#/;
    }
}
opendir my $dir, $folder or die "$folder: $!\n";
my @modules = sort grep { /\.ptx$/ } readdir $dir;
open my $out, '>', $list // '/dev/null' or die "$list: $!\n";
$out->autoflush(1);
my ($checked, $failures) = (0, 0);
for my $module (@modules) {
    my ($emitter) = $module =~ /^(\w+)-/;
    my $number = 0;
    for my $kernel (kernels_of("$folder/$module")) {
        my ($answer, $why) = check("$folder/$module", $kernel);
        my $was = $before{$module . ' ' . ++$number};
        if ($answer eq 'found') {
            my ($alone) = check("$folder/$module", $kernel, '--block', 1);
            if ($alone =~ /free|shared/) {
                $table{$emitter}{alone}++;
                $why .= ', free with one thread in each block';
            }
        }
        $checked++;
        if (defined $was && $was ne $answer && "$was$answer" !~ /not decided/) {
            $failures++;
            print STDERR "FAIL: $module, kernel $number ($kernel): $answer ($why) instead of $was\n";
        }
        $table{$emitter}{$answer}++;
        $why =~ s/\s+/ /g;
        $reasons{"$answer: $why"}++ unless $answer =~ /free|shared/;
        print $out join("\t", $module, $number, $answer, $why), "\n";
    }
}

my @columns = ('free', 'nothing shared', 'found', 'alone', 'not decided', 'refused', 'no answer');
printf "| emitter | kernels | %s |\n| --- | %s\n", join(' | ', map { s/alone/of these, free with one thread in each block/r } @columns),
    '---: | ' x (@columns + 1);
for my $emitter (sort keys %table) {
    my $all = 0;
    $all += $table{$emitter}{$_} // 0 for grep { $_ ne 'alone' } @columns;
    printf "| %s | %d | %s |\n", $emitter, $all, join ' | ', map { $table{$emitter}{$_} // 0 } @columns;
}
print "\n";
printf "%5d  %s\n", $reasons{$_}, $_ for sort { $reasons{$b} <=> $reasons{$a} || $a cmp $b } keys %reasons;
printf "%d kernels, %d failures\n", $checked, $failures;
exit($failures > 0 ? 1 : 0);
