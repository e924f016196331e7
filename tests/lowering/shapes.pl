#!/usr/bin/perl
# Writes the classic shapes as tests in C++, at all orders and scopes, into a folder: shapes.pl FOLDER [SHAPE...]
#
# A shape is threads of writes (Wx1: x = 1) and reads (Ry: a register is y), and the outcome that interleaving never gives. Its
# accesses are, each with each order: atomic loads and stores (of two threads with four accesses in all combinations, else all
# writes with one order and all reads with one); relaxed ones with a fence between those of a thread; exchange and fetch_add;
# compare_exchange. For each scope the threads are as far from each other as it reaches. In the tests +short one scope is too
# small.
#
# As Perl: `shapes($shape...)` returns the tests, each { name, scope, threads, condition }, for rc11.pl, which judges them
# without ptxlitmus.
use strict;
use warnings;

our %shapes = (
    MP     => ['Wx1 Wy1', 'Ry Rx', '1:0=1 1:1=0'],
    SB     => ['Wx1 Ry', 'Wy1 Rx', '0:0=0 1:0=0'],
    LB     => ['Rx Wy1', 'Ry Wx1', '0:0=1 1:0=1'],
    S      => ['Wx2 Wy1', 'Ry Wx1', '1:0=1 x=2'],
    R      => ['Wx1 Wy1', 'Wy2 Rx', 'y=2 1:0=0'],
    '2+2W' => ['Wx1 Wy2', 'Wy1 Wx2', 'x=1 y=1'],
    CoRR   => ['Wx1', 'Rx Rx', '1:0=1 1:1=0'],
    CoRW   => ['Wx1', 'Rx Wx2', '1:0=1 x=1'],
    CoWR   => ['Wx1 Rx', 'Wx2', '0:0=2 x=1'],
    WRC    => ['Wx1', 'Rx Wy1', 'Ry Rx', '1:0=1 2:0=1 2:1=0'],
    RWC    => ['Wx1', 'Rx Ry', 'Wy1 Rx', '1:0=1 1:1=0 2:0=0'],
    ISA2   => ['Wx1 Wy1', 'Ry Wz1', 'Rz Rx', '1:0=1 2:0=1 2:1=0'],
    WWC    => ['Wx2', 'Rx Wy1', 'Ry Wx1', '1:0=2 2:0=1 x=2'],
    IRIW   => ['Wx1', 'Wy1', 'Rx Ry', 'Ry Rx', '2:0=1 2:1=0 3:0=1 3:1=0'],
);
our @order = qw(MP SB LB S R 2+2W CoRR CoRW CoWR WRC RWC ISA2 WWC IRIW);
our @scopes = qw(block cluster device system);
my %place = (
    block   => sub { "cta 0, gpu 0" },
    cluster => sub { "cta $_[0], cluster 0, gpu 0" },
    device  => sub { "cta $_[0], gpu 0" },
    system  => sub { "cta 0, gpu $_[0]" },
);
my %short = (relaxed => 'rlx', acquire => 'acq', release => 'rel', acq_rel => 'ar', seq_cst => 'sc', plain => 'na');

sub accesses {
    my ($shape) = @_;
    my @parts = @{$shapes{$shape}};
    my $condition = pop @parts;
    my @threads = map { [map { /^([RW])(\w)(\d?)$/ or die; {kind => $1, place => $2, value => $3} } split ' '] } @parts;
    return (\@threads, $condition);
}

# All ways to choose an element of each list.
sub product {
    my @all = ([]);
    for my $list (@_) { @all = map { my $front = $_; map { [@$front, $_] } @$list } @all }
    return @all;
}

my %orders = (W => [qw(relaxed release seq_cst)], R => [qw(relaxed acquire seq_cst)]);
my @rmw_orders = qw(relaxed acquire release acq_rel seq_cst);

# The threads of a shape with each access replaced by what `make` returns for it and its number.
sub with {
    my ($threads, $make) = @_;
    my $number = 0;
    return [map { [map { $make->($_, $number++) } @$_] } @$threads];
}

# [name, threads] for each choice of orders.
sub variants {
    my ($threads) = @_;
    my @flat = map { @$_ } @$threads;
    my @result;
    my $all = @$threads == 2 && @flat == 4;
    my @choices = $all ? product(map { $orders{$_->{kind}} } @flat)
        : map { my ($w, $r) = @$_; [map { $_->{kind} eq 'W' ? $w : $r } @flat] } product($orders{W}, $orders{R});
    my %seen;
    for my $choice (@choices) {
        my $name = join '-', map { $short{$_} } @$choice;
        next if $seen{$name}++;
        push @result, [$name, with($threads, sub { my ($a, $i) = @_; +{%$a, order => $choice->[$i]} })];
    }
    my @fences = qw(acquire release acq_rel seq_cst);
    for my $choice (@$threads == 2 ? product(\@fences, \@fences) : map { [($_) x @$threads] } @fences) {
        my @made = map { my $t = $_; [map { +{%$_, order => 'relaxed'} } @{$threads->[$t]}] } 0 .. $#$threads;
        for my $t (0 .. $#made) {
            splice @{$made[$t]}, 1, 0, {kind => 'F', order => $choice->[$t]} if @{$made[$t]} == 2;
        }
        my $name = 'fences-' . join '-', map { $short{$choice->[$_]} } grep { @{$threads->[$_]} == 2 } 0 .. $#$threads;
        push @result, [$name, \@made] unless $seen{$name}++;
    }
    for my $how (qw(rmw cas)) {
        push @result, ["$how-$short{$_}", do { my $o = $_; with($threads, sub { +{%{$_[0]}, how => $how, order => $o} }) }]
            for @rmw_orders;
    }
    # Plain data, which the first thread publishes by what it writes last.
    my @plain = map { my $t = $_; [map { +{%$_} } @$t] } @$threads;
    if (@$threads > 1 && @flat == 4 && $flat[0]{kind} eq 'W' && $flat[1]{kind} eq 'W' && $flat[2]{kind} eq 'R'
        && $flat[2]{place} eq $flat[1]{place}) {
        for my $pair (product($orders{W}, $orders{R})) {
            my @of = ('plain', @$pair, 'plain');
            push @result, ["plain-" . join('-', map { $short{$_} } @$pair),
                with($threads, sub { my ($a, $i) = @_; +{%$a, order => $of[$i]} }), 1];
        }
    }
    return @result;
}

sub shapes {
    my @tests;
    for my $shape (@_ ? @_ : @order) {
        my ($threads, $condition) = accesses($shape);
        for my $variant (variants($threads)) {
            my ($name, $made, $guarded) = @$variant;
            for my $scope (@scopes) {
                push @tests, {shape => $shape, name => "$shape-$name-$scope", threads => $made, scope => $scope,
                              place => $scope, condition => $condition, guarded => $guarded};
            }
            push @tests, {shape => $shape, name => "$shape-$name-short", threads => $made, scope => 'block',
                          place => 'device', condition => $condition, guarded => $guarded};
        }
    }
    return @tests;
}

# Where the data is plain, it is read only after the flag was seen: else there is always a race.
sub body {
    my ($test, $t) = @_;
    my ($text, $reads) = ('', 0);
    for my $access (@{$test->{threads}[$t]}) {
        my ($order, $place) = ("$access->{order}, $test->{scope}", $access->{place});
        my $how = $access->{how} // '';
        if ($access->{kind} eq 'F') {
            $text .= "  atomic_thread_fence($order);\n";
        } elsif ($access->{kind} eq 'W') {
            $text .= $access->{order} eq 'plain' ? ($test->{guarded} && $t > 0 ? "  if (r0 == 1) $place = $access->{value};\n" : "  $place = $access->{value};\n")
                : $how eq 'rmw' ? "  $place.exchange($access->{value}, $order);\n"
                : $how eq 'cas' ? "  int e$place = 0;\n  $place.compare_exchange_strong(e$place, $access->{value}, $order);\n"
                : "  $place.store($access->{value}, $order);\n";
        } else {
            my $r = "r$reads";
            $reads++;
            $text .= $access->{order} eq 'plain' ? "  int $r = 7;\n  if (r0 == 1) $r = $place;\n"
                : $how eq 'rmw' ? "  int $r = $place.fetch_add(0, $order);\n"
                : $how eq 'cas' ? "  int $r = 5;\n  $place.compare_exchange_strong($r, 5, $order);\n"
                : "  int $r = $place.load($order);\n";
        }
    }
    return $text;
}

sub text {
    my ($test) = @_;
    my %places = map { $_->{place} ? ($_->{place} => 1) : () } map { @$_ } @{$test->{threads}};
    my $text = "C++ $test->{name}\nint " . join(', ', map { "$_ = 0" } sort keys %places) . ";\n";
    for my $t (0 .. $#{$test->{threads}}) {
        $text .= "P$t@" . $place{$test->{place}}->($t) . " {\n" . body($test, $t) . "}\n";
    }
    my @atoms = map { /^(\d):(\d)=(\d)$/ ? "P$1:r$2 == $3" : /^(\w)=(\d)$/ ? "$1 == $2" : die } split ' ', $test->{condition};
    return $text . 'exists (' . join(' /\\ ', @atoms) . ")\n";
}

unless (caller) {
    my $folder = shift @ARGV or die "usage: shapes.pl FOLDER [SHAPE...]\n";
    for my $test (shapes(@ARGV)) {
        open my $file, '>', "$folder/$test->{name}.litmus" or die "$folder: $!\n";
        print $file text($test);
        close $file or die "$folder: $!\n";
    }
}
1;
