#!/usr/bin/env perl
# Kernels that run at the same time, with threads of the host: a module with a launch of each, as ptxlitmus decides it, against the
# same threads written out as a test, as the oracle does. Random kernels, launched once or twice each with arguments of their own.
#
# usage: launches.pl BUILD [COUNT [FIRST]]
use strict;
use warnings;
use File::Temp qw(tempdir);

my $build = shift // die "usage: launches.pl BUILD [COUNT [FIRST]]\n";
my $count = shift // 60;
my $first = shift // 1;
my $work = tempdir(CLEANUP => 1);
my $steps = 200000; # of the oracle, which on a busy machine are as many

sub pick { return $_[int rand @_] }

# Statements of a thread that shows `$$reads` registers; `<n>` is its argument and `<p>` the object that it points to.
sub statements {
    my ($reads, $is_host) = @_;
    my @statements;
    for (1 .. 2 + int rand 2) {
        my $scope = $is_host ? 'sys' : pick('cta', 'cluster', 'gpu', 'gpu', 'sys', 'sys');
        my $place = $is_host ? pick('x', 'y') : pick('x', 'y', '<p>', '<p>');
        my $value = $is_host ? pick(1, 2) : pick(1, 2, '<n>', '<n>');
        my $kind = int rand($is_host ? 5 : 7);
        push @statements, pick("st.relaxed.$scope.global.u32 [$place], $value", "st.weak.global.u32 [$place], $value") if $kind < 2;
        push @statements, "st.release.$scope.global.u32 [$place], $value" if $kind == 2;
        if ($kind == 3 || $kind == 4) {
            my $order = pick("relaxed.$scope", "acquire.$scope", 'weak');
            push @statements, "ld.$order.global.u32 %v" . ++$$reads . ", [$place]";
        }
        push @statements, "st.shared.u32 [s], $value", "bar.sync 0", "ld.shared.u32 %v" . ++$$reads . ", [s]" if $kind == 5;
        push @statements, 'fence.' . pick('acq_rel', 'sc') . ".$scope" if $kind == 6;
    }
    return @statements;
}

sub write_file {
    my ($path, $text) = @_;
    open my $out, '>', $path or die "$path: $!\n";
    print $out $text;
    close $out or die "$path: $!\n";
}

# A kernel with its parameters.
sub kernel {
    my ($name, @statements) = @_;
    my $text = '';
    for (@statements) {
        my $statement = $_;
        $statement =~ s/<p>/%rd1/;
        $statement =~ s/<n>/%r1/;
        $text .= "  $statement;\n";
    }
    return <<"END";
.visible .entry $name(.param .u64 p, .param .u32 n) {
  .reg .b32 %r<2>, %v<9>;
  .reg .b64 %rd<2>;
  .shared .u32 s;
  ld.param.u64 %rd1, [p];
  ld.param.u32 %r1, [n];
$text  ret;
}
END
}

# A thread of a launch, written out.
sub thread {
    my ($number, $place, $object, $value, @statements) = @_;
    my $text = "P$number\@$place {\n";
    for (@statements) {
        my $statement = $_;
        $statement =~ s/<p>/$object/;
        $statement =~ s/<n>/$value/;
        $text .= "  $statement;\n";
    }
    return "$text}\n";
}

# The states in a line of JSON, as text, sorted.
sub states {
    my ($json) = @_;
    my ($list) = $json =~ /"states":\[(.*?)\],"complete"/ or return;
    my @states;
    while ($list =~ /\{([^}]*)\}/g) {
        push @states, join ' ', sort split /,/, $1;
    }
    return sort @states;
}

my ($compared, $failed, $twice, $hosts) = (0, 0, 0, 0);
for my $seed ($first .. $first + 20 * $count) {
    last if $compared == $count;
    srand $seed;
    my (%reads, %bodies);
    for my $name ('k', 'l', 'host') {
        $reads{$name} = 0;
        $bodies{$name} = [statements(\$reads{$name}, $name eq 'host')];
    }
    my @launches = @{pick(['k', 'l'], ['k', 'k'], ['k', 'l', 'host'], ['k', 'host'], ['k', 'l', 'l'])};
    my ($manifest, $test, $number, $cta, $cluster, @shown) = ('', '', 0, 0, 0, 'x', 'y');
    for my $name (@launches) {
        my $with = $number == 0 ? '' : 'with ';
        my @names = map { "%v$_" } 1 .. $reads{$name};
        if ($name eq 'host') {
            $manifest .= "// PTXLITMUS with host {\n" . join('', map { "// PTXLITMUS   $_;\n" } @{$bodies{host}}) . "// PTXLITMUS }\n";
            $test .= thread($number, 'host', '', '', @{$bodies{host}});
            push @shown, map { "P$number:$_" } @names;
            $number++;
            next;
        }
        my ($object, $value, $gpu) = (pick('x', 'y'), 3 + int rand 3, pick(0, 0, 0, 1));
        my ($grid, $block, $size) = @{pick([1, 1, 0], [1, 1, 0], [2, 1, 0], [1, 2, 0], [2, 1, 2], [2, 1, 1])};
        $manifest .= "// PTXLITMUS ${with}kernel $name grid $grid block $block gpu $gpu" . ($size ? " cluster $size" : '') . "\n" .
            "// PTXLITMUS arg 0 = &$object\n// PTXLITMUS arg 1 = $value\n";
        for my $i (0 .. $grid * $block - 1) {
            my $place = 'cta ' . ($cta + int($i / $block)) . ($size ? ', cluster ' . ($cluster + int($i / $block / $size)) : '') . ", gpu $gpu";
            $test .= thread($number, $place, $object, $value, @{$bodies{$name}});
            push @shown, map { "P$number:$_" } @names;
            $number++;
        }
        $cta += 10 + $grid;
        $cluster += 10 + $grid;
    }
    next if $number > 4;
    my $end = 'locations [' . join('', map { "$_; " } @shown) . "]\nexists (x == 7)";
    my $module = $manifest . join("\n", map { "// PTXLITMUS $_" } split /\n/, $end) .
        "\n.version 8.0\n.target sm_90\n.address_size 64\n.global .u32 x;\n.global .u32 y;\n" .
        join '', map { kernel($_, @{$bodies{$_}}) } 'k', 'l';
    write_file("$work/m.ptx", $module);
    write_file("$work/t.litmus", "PTX t\n.global .u32 x;\n.global .u32 y;\n.shared .u32 s;\n$test$end\n");
    my $wanted = `$build/tests/oracle/ptxlitmus-oracle --limit $steps $work/t.litmus 2>/dev/null`;
    next if $wanted !~ /"complete":true/ || $wanted =~ /"unsupported"/;
    my $found = `$build/ptxlitmus --format json $work/m.ptx 2>$work/err`;
    my ($one, $other) = map { join "\n", states($_) } $wanted, $found;
    $compared++;
    $twice++ if grep { $_ > 1 } map { my $name = $_; scalar grep { $_ eq $name } @launches } 'k', 'l';
    $hosts++ if $manifest =~ /with host/;
    next if $one eq $other && $one ne '';
    $failed++;
    print "seed $seed\n$module$test--- the oracle\n$one\n--- ptxlitmus\n$other\n";
    system "cat $work/err";
}
print "$compared groups of launches, $twice with a kernel launched twice, $hosts with a thread of the host; $failed differ\n";
exit($failed > 0 || $compared < $count || $twice == 0 || $hosts == 0);
