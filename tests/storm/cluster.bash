# A Storm cluster on one machine: ZooKeeper, Nimbus and a supervisor, each a
# process of its own and all on ports that were free, as they would be on many
# machines; the supervisor starts workers, and those our bolts.
# shellcheck shell=bash

# java_quick ARG...: a JVM that is there to start soon, not to run long.
java_quick() {
	exec java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xmx512m "$@"
}

# daemon NAME CLASS [ARG...]: in a process group of its own, to end with all
# that it started.
daemon() {
	local name=$1
	shift
	(
		set -m
		java_quick -Dstorm.home="$home" -Dstorm.log.dir="$home/logs" \
		    -cp "$home/conf:$jars/storm/*" "$@" \
		    >"$home/logs/$name.log" 2>&1 </dev/null &
		echo $! >>"$home/groups"
	)
}

# cluster_jars FOLDER: Storm's jars, unless they are there.
cluster_jars() {
	[ -e "$1/pom.xml" ] && cmp -s pom.xml "$1/pom.xml" && return
	mvn -B -q -f pom.xml -Dlib="$1" package && cp pom.xml "$1"
}

# cluster_start JARS HOME SLOTS
cluster_start() {
	jars=$1 home=$2
	local slots=$3 ports
	mkdir -p "$home"/{conf,logs,log4j2}
	ln -s "$jars/storm" "$home/lib-worker"
	read -ra ports < <(python3 -c 'import socket, sys
free = [socket.socket() for _ in range(int(sys.argv[1]))]
for s in free:
    s.bind(("127.0.0.1", 0))
print(*(s.getsockname()[1] for s in free))' $((slots + 3)))
	cat >"$home/conf/storm.yaml" <<-END
	storm.local.dir: "$home/local"
	storm.local.hostname: localhost
	storm.zookeeper.servers: [localhost]
	storm.zookeeper.port: ${ports[0]}
	nimbus.seeds: [localhost]
	nimbus.thrift.port: ${ports[1]}
	nimbus.monitor.freq.secs: 1
	supervisor.thrift.port: ${ports[2]}
	supervisor.monitor.frequency.secs: 1
	supervisor.slots.ports: [$(IFS=,; echo "${ports[*]:3}")]
	storm.log4j2.conf.dir: "$home/log4j2"
	worker.childopts: "-Xmx256m -XX:+UseSerialGC -XX:TieredStopAtLevel=1"
	END
	cat >"$home/log4j2/worker.xml" <<-'END'
	<Configuration>
	  <Appenders>
	    <File name="log" fileName="${sys:workers.artifacts}/${sys:storm.id}/${sys:worker.port}/worker.log">
	      <PatternLayout pattern="%d{HH:mm:ss.SSS} %level %c{1.} %msg%n"/>
	    </File>
	  </Appenders>
	  <Loggers>
	    <Root level="info"><AppenderRef ref="log"/></Root>
	  </Loggers>
	</Configuration>
	END
	daemon zookeeper \
	    org.apache.storm.shade.org.apache.zookeeper.server.ZooKeeperServerMain \
	    "${ports[0]}" "$home/local/zookeeper"
	daemon nimbus org.apache.storm.daemon.nimbus.Nimbus
	daemon supervisor org.apache.storm.daemon.supervisor.Supervisor
	soon 60 grep -q 'Starting thrift server' "$home/logs/nimbus.log"
}

# cluster_submit NAME FILE: a topology, with the environment for ${ENV-...}.
cluster_submit() {
	(java_quick -Dstorm.home="$home" -Dstorm.jar="$jars/flux-core.jar" \
	    -cp "$home/conf:$jars/storm/*:$jars/flux-core.jar" \
	    org.apache.storm.flux.Flux --no-splash --no-detail --env-filter \
	    "$2") >"$home/logs/submit-$1.log" 2>&1
}

# cluster_run NAME FROM COMPONENTS [SED...]: end what runs, submit FROM.yaml,
# changed by SED, as NAME, and have each of the components followed by a bolt
# that writes what it says to NAME/COMPONENT beside the home.
cluster_run() {
	local name=$1 from=$2 component
	[ -z "${running-}" ] || cluster_end "$running"
	running=$name
	DATA=${home%/*}/$name
	sed -e '' "${@:4}" "$from.yaml" >"$DATA/$from.yaml"
	{
		echo "name: $name"
		echo 'includes:'
		echo "  - {resource: false, override: false, file: $DATA/$from.yaml}"
		echo 'bolts:'
		for component in $3; do
			echo "  - id: sink-$component"
			echo '    className: org.apache.storm.flux.wrappers.bolts.FluxShellBolt'
			echo "    constructorArgs: [[$PWD/sink.py, $DATA/$component], [none]]"
		done
		echo 'streams:'
		for component in $3; do
			echo "  - {from: $component, to: sink-$component, grouping: {type: GLOBAL}}"
		done
	} >"$DATA/topology.yaml"
	cluster_submit "$name" "$DATA/topology.yaml"
}

# cluster_processes TOPOLOGY: the workers and the bolts that they started.
cluster_processes() {
	local pid
	for pid in "$home"/local/workers/*/pids/*; do
		pid=${pid##*/}
		[[ $(tr '\0' ' ' <"/proc/$pid/cmdline") != *" $1"-[0-9]* &&
		    $(readlink "/proc/$pid/cwd") != */stormdist/"$1"-[0-9]* ]] ||
			echo "$pid"
	done 2>/dev/null
}

# cluster_bolts COMMAND TOPOLOGY: the processes of one of our commands.
cluster_bolts() {
	local pid
	for pid in $(cluster_processes "$2"); do
		[[ $(readlink "/proc/$pid/exe") != "$BIN/$1" ]] || echo "$pid"
	done
}

# cluster_workers TOPOLOGY: the JVMs.
cluster_workers() {
	local pid
	for pid in $(cluster_processes "$1"); do
		[[ $(readlink "/proc/$pid/exe") != */java ]] || echo "$pid"
	done
}

# cluster_end NAME: a topology, now.
cluster_end() {
	(java_quick -Dstorm.home="$home" \
	    -cp "$home/conf:$jars/storm/*:$jars/storm-core.jar:$jars/flux-core.jar" \
	    org.apache.storm.command.KillTopology "$1" -w 0) \
	    >"$home/logs/end-$1.log" 2>&1
}

# cluster_stop: end all processes, bolts last, since what they read has ended.
cluster_stop() {
	local group
	while read -r group; do
		kill -9 -- "-$group"
	done <"$home/groups" 2>/dev/null
}

# soon SECONDS COMMAND...: whether the command succeeds by then.
soon() {
	local end=$((SECONDS + $1))
	shift
	until "$@"; do
		((SECONDS < end)) || return
		sleep 0.2
	done
}
