#!/usr/bin/perl
# The tests of shapes.pl under scoped RC11, by trying all executions: rc11.pl [--strict] [SHAPE...]
#
# Shares nothing with ptxlitmus but the names of the tests. Each write to a place is put in each order, each read takes each write;
# an execution counts if it satisfies the axioms of RC11 (Lahav et al., PLDI 2017) with the scopes of ASPLOS 2019, which are
# written here as sets of pairs of events. Prints a line for each test: NAME, "race" or "-", and its outcomes, sorted.
# --strict adds that program order and reads-from have no cycle.
use strict;
use warnings;
use FindBin;
require "$FindBin::Bin/shapes.pl";
our %shapes;

my $strict = @ARGV && $ARGV[0] eq '--strict' && shift @ARGV;

# Relations are arrays of bit masks: bit b of $r->[a] says that a is related to b.
my $n;
sub empty  { return [(0) x $n] }
sub union  { my @all = @_; return [map { my $i = $_; my $m = 0; $m |= $_->[$i] for @all; $m } 0 .. $n - 1] }
sub both   { my ($r, $s) = @_; return [map { $r->[$_] & $s->[$_] } 0 .. $n - 1] }
sub minus  { my ($r, $s) = @_; return [map { $r->[$_] & ~$s->[$_] } 0 .. $n - 1] }
sub compose {
    my ($r, $s) = @_;
    return [map { my $m = 0; my $row = $_; for my $b (0 .. $n - 1) { $m |= $s->[$b] if $row >> $b & 1 } $m } @$r];
}
sub inverse {
    my ($r) = @_;
    my $i = empty();
    for my $a (0 .. $n - 1) { for my $b (0 .. $n - 1) { $i->[$b] |= 1 << $a if $r->[$a] >> $b & 1 } }
    return $i;
}
sub identity { my ($set) = @_; return [map { $set >> $_ & 1 ? 1 << $_ : 0 } 0 .. $n - 1] }
sub maybe    { return union($_[0], identity((1 << $n) - 1)) }
sub closure {
    my $r = [@{$_[0]}];
    for my $k (0 .. $n - 1) { for my $a (0 .. $n - 1) { $r->[$a] |= $r->[$k] if $r->[$a] >> $k & 1 } }
    return $r;
}
sub reflexive { my ($r) = @_; for (0 .. $n - 1) { return 1 if $r->[$_] >> $_ & 1 } return 0 }
sub some_pair { my ($r) = @_; for (@$r) { return 1 if $_ } return 0 }
sub cyclic    { return reflexive(closure($_[0])) }
sub seq       { my $r = shift; $r = compose($r, $_) for @_; return $r }

# Events: {thread, kind R W F I, place, order, atomic, value or undef, rmw: index of the read}.
sub events {
    my ($test) = @_;
    my (@events, %places);
    for my $t (0 .. $#{$test->{threads}}) { $places{$_->{place}} = 1 for grep { $_->{place} } @{$test->{threads}[$t]} }
    push @events, {thread => -1, kind => 'I', place => $_, order => 'plain', value => 0} for sort keys %places;
    for my $t (0 .. $#{$test->{threads}}) {
        my $reads = 0;
        for my $access (@{$test->{threads}[$t]}) {
            my %common = (thread => $t, place => $access->{place}, order => $access->{order}, how => $access->{how} // '');
            $common{guarded} = 1 if $access->{order} eq 'plain' && $t > 0;
            if ($access->{kind} eq 'F') { push @events, {%common, kind => 'F'}; next }
            my $is_read = $access->{kind} eq 'R';
            my $register = $is_read ? $reads++ : undef;
            if ($common{how} || $is_read) {
                push @events, {%common, kind => 'R', register => $register,
                    expected => $common{how} eq 'cas' ? ($is_read ? 5 : 0) : undef};
            }
            if ($common{how} || !$is_read) {
                push @events, {%common, kind => 'W', rmw => $common{how} ? $#events : undef,
                    value => $is_read ? undef : $access->{value}};
            }
        }
    }
    return @events;
}

sub permutations {
    my @items = @_;
    return [[]] unless @items;
    my @all;
    for my $i (0 .. $#items) {
        my @rest = @items;
        my ($first) = splice @rest, $i, 1;
        push @all, map { [$first, @$_] } @{permutations(@rest)};
    }
    return \@all;
}

sub mask { my ($events, $test) = @_; my $m = 0; $m |= $test->($events->[$_]) ? 1 << $_ : 0 for 0 .. $#$events; return $m }

# Which pairs of threads are in each other's scope: the tests have one scope, and threads as far apart as their place.
sub reaches { my ($test) = @_; my %far = (block => 0, cluster => 1, device => 2, system => 3); return $far{$test->{scope}} >= $far{$test->{place}} }

# One execution of the events in `list` (indices that happen): undef if an axiom fails, else 'race' or 'fine'.
sub judge {
    my ($test, $events, $on, $rf, $co) = @_;
    my $is = sub { my ($f) = @_; return mask($events, $f) & $on };
    my ($po, $loc, $same, $ext) = map { empty() } 1 .. 4;
    for my $a (0 .. $n - 1) { for my $b (0 .. $n - 1) {
        my ($x, $y) = ($events->[$a], $events->[$b]);
        next unless ($on >> $a & 1) && ($on >> $b & 1);
        $po->[$a] |= 1 << $b if $x->{thread} >= 0 && $x->{thread} == $y->{thread} && $a < $b;
        $loc->[$a] |= 1 << $b if ($x->{place} // '') ne '' && ($x->{place} // '') eq ($y->{place} // '');
        $same->[$a] |= 1 << $b if $x->{thread} >= 0 && $x->{thread} == $y->{thread};
        $ext->[$a] |= 1 << $b if $x->{thread} >= 0 && $y->{thread} >= 0 && $x->{thread} != $y->{thread};
    } }
    my $atomic = $is->(sub { $_[0]{order} ne 'plain' });
    my $incl = union($same, identity($on));
    if (reaches($test)) { $incl->[$_] |= ($atomic >> $_ & 1) ? $atomic : 0 for 0 .. $n - 1 }
    my ($W, $R, $F) = map { my $k = $_; $is->(sub { $_[0]{kind} eq $k || ($k eq 'W' && $_[0]{kind} eq 'I') }) } qw(W R F);
    my $SC = $is->(sub { $_[0]{order} eq 'seq_cst' });
    my $rel = ($W | $F) & $is->(sub { $_[0]{order} =~ /^(release|acq_rel|seq_cst)$/ });
    my $acq = ($R | $F) & $is->(sub { $_[0]{order} =~ /^(acquire|acq_rel|seq_cst)$/ });
    my $rmw = empty();
    for my $b (0 .. $n - 1) { $rmw->[$events->[$b]{rmw}] |= 1 << $b if ($on >> $b & 1) && defined $events->[$b]{rmw} }
    my $fr = minus(compose(inverse($rf), $co), identity($on));

    my $sub_rs = closure(maybe(compose(both($incl, $rf), $rmw)));
    my $rs = seq(identity($W), maybe(both($po, $loc)), identity($W & $atomic), $sub_rs);
    my $sw = seq(identity($rel), maybe(compose(identity($F), $po)), $rs, both($incl, $rf), identity($R & $atomic),
                 maybe(compose($po, identity($F))), identity($acq));
    my $hb = closure(union($po, both($incl, $sw)));
    my $eco = closure(union($rf, $co, $fr));
    return undef if reflexive($hb) || reflexive(compose($hb, $eco));
    return undef if some_pair(both($rmw, compose($fr, $co)));
    my $away = minus($po, $loc);
    my $scb = union($po, seq($away, $hb, $away), both($hb, $loc), $co, $fr);
    my $fsc = identity($F & $SC);
    my $base = seq(union(identity($SC), compose($fsc, maybe($hb))), $scb, union(identity($SC), compose(maybe($hb), $fsc)));
    my $fences = seq($fsc, union($hb, seq($hb, $eco, $hb)), $fsc);
    return undef if cyclic(both(union($base, $fences), $incl));
    return undef if $strict && cyclic(union($po, $rf));
    my $conflict = both($loc, $ext);
    for my $a (0 .. $n - 1) { for my $b (0 .. $n - 1) {
        next unless $conflict->[$a] >> $b & 1;
        next unless (($W >> $a) | ($W >> $b)) & 1;
        next if $incl->[$a] >> $b & 1;
        return 'race' unless ($hb->[$a] >> $b & 1) || ($hb->[$b] >> $a & 1);
    } }
    return 'fine';
}

# The values of writes and reads, once it is chosen where reads read from; undef where they do not fit: an event happens that
# should not, or the other way round.
sub values_of {
    my ($events, $on, $source) = @_;
    my @value;
    my $known = 1;
    for my $pass (0 .. $n) {
        for my $i (0 .. $n - 1) {
            my $e = $events->[$i];
            next if !($on >> $i & 1) || defined $value[$i] || $e->{kind} eq 'F';
            if ($e->{kind} eq 'R') { $value[$i] = $value[$source->[$i]] }
            elsif (defined $e->{value}) { $value[$i] = $e->{value} }
            elsif (defined $e->{rmw}) { # fetch_add(0), or a cas that stores what it expects
                my $old = $value[$e->{rmw}];
                $value[$i] = $e->{how} eq 'cas' ? 5 : $old if defined $old;
            }
        }
    }
    for my $i (0 .. $n - 1) {
        my $e = $events->[$i];
        my $should = 1;
        if ($e->{kind} eq 'W' && defined $e->{rmw} && $e->{how} eq 'cas') {
            my $read = $events->[$e->{rmw}];
            return undef unless defined $value[$e->{rmw}];
            $should = $value[$e->{rmw}] == $read->{expected};
        }
        if ($e->{guarded}) {
            my ($flag) = grep { $events->[$_]{thread} == $e->{thread} && $events->[$_]{kind} eq 'R' } 0 .. $n - 1;
            $should = defined $value[$flag] && $value[$flag] == 1;
        }
        return undef if $should != ($on >> $i & 1);
        return undef if ($on >> $i & 1) && $e->{kind} ne 'F' && !defined $value[$i];
    }
    return \@value;
}

# Values out of thin air: a write that depends on what it is read by. Here only a guard or a fetch_add depends on a read.
sub outcome {
    my ($test, $events, $on, $value, $last) = @_;
    my @parts;
    for (split ' ', $test->{condition}) {
        if (/^(\d):(\d)=/) {
            my ($t, $r) = ($1, $2);
            my ($i) = grep { $events->[$_]{thread} == $t && defined $events->[$_]{register} && $events->[$_]{register} == $r } 0 .. $n - 1;
            push @parts, "P$t:r$r=" . (($on >> $i & 1) ? $value->[$i] : 7);
        } else {
            /^(\w)=/;
            push @parts, "$1=$value->[$last->{$1}]";
        }
    }
    return join ',', sort @parts;
}

sub each_choice { # calls $do with every choice of one element of each list
    my ($lists, $do, @chosen) = @_;
    if (@chosen == @$lists) { $do->(@chosen); return }
    each_choice($lists, $do, @chosen, $_) for @{$lists->[@chosen]};
}

sub run {
    my ($test) = @_;
    my @events = events($test);
    $n = @events;
    my @open = grep { my $e = $events[$_]; $e->{guarded} || ($e->{kind} eq 'W' && defined $e->{rmw} && $e->{how} eq 'cas') } 0 .. $n - 1;
    my (%outcomes, $race);
    for my $choice (0 .. (1 << @open) - 1) { # which of the conditional events happen
        my $on = (1 << $n) - 1;
        for my $k (0 .. $#open) { $on &= ~(1 << $open[$k]) unless $choice >> $k & 1 }
        my @reads = grep { $events[$_]{kind} eq 'R' && ($on >> $_ & 1) } 0 .. $n - 1;
        my @writes = grep { $events[$_]{kind} eq 'W' && ($on >> $_ & 1) } 0 .. $n - 1;
        my %at; push @{$at{$events[$_]{place}}}, $_ for @writes;
        my @init = grep { $events[$_]{kind} eq 'I' } 0 .. $n - 1;
        my @sources = map { my $r = $_; [grep { $events[$_]{place} eq $events[$r]{place} } @init, @writes] } @reads;
        my @places = sort keys %at;
        my @orders = map { permutations(@{$at{$_}}) } @places;
        each_choice(\@sources, sub {
            my @source; @source[@reads] = @_;
            my $value = values_of(\@events, $on, \@source) or return;
            my $rf = empty();
            $rf->[$source[$_]] |= 1 << $_ for @reads;
            each_choice(\@orders, sub {
                my @chosen = @_;
                my ($co, %last) = (empty());
                $last{$events[$_]{place}} = $_ for @init;
                for my $k (0 .. $#places) {
                    my ($first) = grep { $events[$_]{place} eq $places[$k] } @init;
                    my @line = ($first, @{$chosen[$k]});
                    for my $i (0 .. $#line) { $co->[$line[$i]] |= 1 << $line[$_] for $i + 1 .. $#line }
                    $last{$places[$k]} = $line[-1];
                }
                # Atomicity and coherence together: an atomic operation reads the write that is just before its own.
                for my $w (grep { defined $events[$_]{rmw} } @writes) {
                    my @line = grep { $co->[$_] >> $w & 1 } 0 .. $n - 1;
                    my ($before) = grep { my $last = $_; !grep { $co->[$last] >> $_ & 1 } @line } @line;
                    return if $source[$events[$w]{rmw}] != $before;
                }
                my $verdict = judge($test, \@events, $on, $rf, $co) or return;
                $race = 1 if $verdict eq 'race';
                $outcomes{outcome($test, \@events, $on, $value, \%last)} = 1;
            });
        });
    }
    return ($race, sort keys %outcomes);
}

for my $test (shapes(@ARGV)) {
    my ($race, @outcomes) = run($test);
    print "$test->{name} ", $race ? 'race' : '-', ' ', join(' ', @outcomes), "\n";
}
