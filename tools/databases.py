"""Databases to try the command on: SQLite files, and real servers in folders of their own, ended by process id."""
import os, pathlib, pwd, shutil, signal, subprocess, tempfile, time


def as_user(name):
    """Both servers refuse to be root."""
    if os.getuid() != 0:
        return {}
    entry = pwd.getpwnam(name)
    return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}


def user_of(*names):
    known = [name for name in names if any(e.pw_name == name for e in pwd.getpwall())]
    return known[0] if known else names[-1]


class Server:
    def __init__(self, work, kind, user):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix=f"{kind}-", dir=work))
        self.user, self.databases, self.process = user, 0, None
        if os.getuid() == 0:
            os.chown(self.folder, pwd.getpwnam(user).pw_uid, -1)
        self.log = open(self.folder / "log", "ab")

    def set_up(self, *words, **more):
        done = subprocess.run([str(w) for w in words], stdout=self.log, stderr=self.log, cwd="/", **as_user(self.user), **more)
        if done.returncode != 0:
            self.give_up(f"{pathlib.Path(words[0]).name} ended with status {done.returncode}")

    def give_up(self, why):
        """Says the last lines of the log, too: its folder goes with the test."""
        self.log.flush()
        lines = (self.folder / "log").read_text(errors="replace").splitlines()
        raise SystemExit("\n".join([f"databases: {why}; its last lines:", *(f"  {line}" for line in lines[-10:])]))

    def start(self):
        self.process = subprocess.Popen([str(w) for w in self.words], stdout=self.log, stderr=self.log, cwd="/", **as_user(self.user))
        for _ in range(600):
            if self.sql("select 1") == 0:
                return
            time.sleep(0.05)
        self.give_up("the server does not answer")

    def kill(self):
        self.process.send_signal(self.sudden)
        self.process.wait()

    def stop(self):
        if self.process is not None and self.process.poll() is None:
            self.kill()

    def database(self):
        if self.process is None or self.process.poll() is not None:
            self.start()
        self.databases += 1
        if self.sql(f"create database t{self.databases}") != 0:
            self.give_up("cannot make a database")
        return self.url(f"t{self.databases}")


    def analyze(self, url):
        """What the server does by itself after a while: count what the tables hold, for its plans."""


class PostgreSql(Server):
    sudden = signal.SIGQUIT

    def __init__(self, work):
        super().__init__(work, "postgresql", user_of("postgres"))
        self.bin = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin"))[-1]
        self.set_up(self.bin / "initdb", "-D", self.folder / "data", "-A", "trust", "-U", "postgres", "--no-sync", "-E", "UTF8", "--locale=C")
        self.words = [self.bin / "postgres", "-D", self.folder / "data", "-k", self.folder, "-c", "listen_addresses="]

    def sql(self, text):
        return subprocess.run([self.bin / "psql", "-h", self.folder, "-U", "postgres", "-qc", text], stdout=self.log, stderr=self.log).returncode

    def analyze(self, url):
        name = url.split("/")[3].split("?")[0]
        subprocess.run([self.bin / "psql", "-h", self.folder, "-U", "postgres", "-qc", "analyze", name], stdout=self.log, stderr=self.log, check=True)

    def url(self, name):
        return f"postgresql://postgres@/{name}?host={self.folder}"


class MariaDb(Server):
    sudden = signal.SIGKILL

    def __init__(self, work, command, cache="128M"):
        self.command = command
        super().__init__(work, "mariadb", user_of("mysql", "nobody"))
        mariadbd, share = shutil.which("mariadbd") or "/usr/sbin/mariadbd", pathlib.Path("/usr/share/mysql")
        script = "create database mysql;\nuse mysql;\nset @auth_root_socket=NULL;\nset @skip_auth_anonymous=1;\n"
        script += (share / "mysql_system_tables.sql").read_text() + (share / "mysql_system_tables_data.sql").read_text()
        (self.folder / "data").mkdir()
        if os.getuid() == 0:
            os.chown(self.folder / "data", pwd.getpwnam(self.user).pw_uid, -1)
        self.set_up(mariadbd, "--no-defaults", f"--datadir={self.folder}/data", "--bootstrap", input=script.encode())
        self.words = [mariadbd, "--no-defaults", f"--datadir={self.folder}/data", f"--socket={self.folder}/s",
                      f"--pid-file={self.folder}/pid", "--skip-networking", f"--innodb-buffer-pool-size={cache}"]

    def sql(self, text):
        """There need not be a client program: the command itself reaches the server."""
        if text == "select 1":
            told = subprocess.run([self.command, "store", "info", "--store", self.url("mysql")], capture_output=True, text=True).stderr
            return 0 if "there is no store yet" in told else 1
        # What a bootstrap cannot do while it runs, a folder can: an empty one is an empty database.
        folder = self.folder / "data" / text.split()[-1]
        folder.mkdir()
        if os.getuid() == 0:
            os.chown(folder, pwd.getpwnam(self.user).pw_uid, -1)
        return 0

    def url(self, name):
        return f"mariadb://root@localhost/{name}?socket={self.folder}/s"


def tree(process):
    """A process and all that it has started, by their ids."""
    found = [process]
    for parent in found:
        for task in pathlib.Path(f"/proc/{parent}/task").glob("*/children"):
            found += [int(each) for each in task.read_text().split()]
    return found


class Sqlite:
    def __init__(self, work):
        self.work, self.databases = work, 0

    def database(self):
        self.databases += 1
        return f"sqlite:{self.work}/store{self.databases}.db"

    def stop(self):
        pass


def start(name, work, command, cache="128M"):
    """`sqlite`, `postgresql` or `mariadb`, in a folder below `work`; `command` is ours. `cache`: MariaDB's, for pages;
    the others use the system's."""
    if name == "mariadb":
        return MariaDb(work, command, cache)
    return {"sqlite": Sqlite, "postgresql": PostgreSql}[name](work)
