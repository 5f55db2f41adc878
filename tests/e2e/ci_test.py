"""The GitHub Action and the GitLab template, as far as that goes without their servers: their
YAML is read, their scripts run here, in an environment as the servers make it."""

from __future__ import annotations

import json
import re
import subprocess
import tempfile
import zipfile
from pathlib import Path
from typing import Any

import harness
from harness import FINDINGS, OK, TROUBLE, common

VERSION = common.run("--version").stdout.split()[1]


def write_wheel(folder: Path) -> None:
    """A wheel of this version whose program starts the one under test: installing it takes no compiler."""
    name = f"cpnlint-{VERSION}"
    files = {
        f"{name}.data/scripts/cpnlint": f'#!/bin/sh\nexec "{common.program()}" "$@"\n',
        f"{name}.dist-info/METADATA": f"Metadata-Version: 2.1\nName: cpnlint\nVersion: {VERSION}\n",
        f"{name}.dist-info/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    files[f"{name}.dist-info/RECORD"] = "".join(f"{file},,\n" for file in [*files, f"{name}.dist-info/RECORD"])
    folder.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(folder / f"{name}-py3-none-any.whl", "w") as wheel:
        for file, text in files.items():
            entry = zipfile.ZipInfo(file)
            entry.external_attr = (0o100755 if "/scripts/" in file else 0o100644) << 16  # a regular file
            wheel.writestr(entry, text)


class ServerTest(harness.ProgramTest):
    @classmethod
    def setUpClass(cls) -> None:
        common.use_test_packages()
        temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temporary.cleanup)
        cls.shared = Path(temporary.name)  # what is installed once for all tests
        write_wheel(cls.shared / "wheels")

    def setUp(self) -> None:
        super().setUp()
        self.workspace = self.folder / "workspace"
        self.workspace.mkdir()
        self.environment |= {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(self.shared / "wheels")}
        for name in [name for name in self.environment if name.startswith(("GITHUB_", "CI_", "RUNNER_", "BUILD_"))]:
            del self.environment[name]

    def bash(self, script: str, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
        command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script]
        return subprocess.run(
            command, cwd=folder, env=self.environment | environment, capture_output=True, encoding="utf-8", timeout=300
        )


class GitHub(ServerTest):
    def setUp(self) -> None:
        super().setUp()
        import yaml

        self.action = yaml.safe_load((common.ROOT / "action.yml").read_text(encoding="utf-8"))
        self.files = {name: self.folder / name for name in ("output", "summary")}
        for path in self.files.values():
            path.touch()
        self.environment |= {
            "RUNNER_TEMP": str(self.shared),
            "GITHUB_WORKSPACE": str(self.workspace),
            "GITHUB_OUTPUT": str(self.files["output"]),
            "GITHUB_STEP_SUMMARY": str(self.files["summary"]),
        }

    def value(self, text: str, inputs: dict[str, str]) -> str:
        """An expression as the runner would fill it in; one that is not known here fails the test."""
        outputs = dict(line.split("=", 1) for line in self.files["output"].read_text().splitlines())

        def fill(found: re.Match[str]) -> str:
            words = found[1].strip()
            if words == "github.action_path":
                return str(common.ROOT)
            kind, _, name = words.rpartition(".")
            return {"inputs": inputs, "steps.run.outputs": outputs}[kind][name]

        return re.sub(r"\$\{\{(.*?)\}\}", fill, text)

    def run_action(self, **given: str) -> tuple[int, str]:
        """Runs the steps up to the one that fails; its exit code, and what they printed."""
        given = {name.replace("_", "-"): value for name, value in given.items()}
        self.assertEqual(set(given) - set(self.action["inputs"]), set())
        inputs = {name: entry["default"] for name, entry in self.action["inputs"].items()} | given
        said = ""
        for step in self.action["runs"]["steps"]:
            if "uses" in step or (step["name"] == "Summary" and inputs["summary"] != "true"):
                continue
            if step["name"] == "Install cpnlint" and (self.shared / "cpnlint").exists():
                continue
            self.assertEqual(step["shell"], "bash")
            self.assertNotIn("${{", step["run"], "an input in a script would be run")
            environment = {name: self.value(text, inputs) for name, text in step.get("env", {}).items()}
            folder = self.workspace / self.value(step.get("working-directory", "."), inputs)
            done = self.bash(step["run"], folder, **environment)
            said += done.stdout + done.stderr
            if done.returncode != 0:
                return done.returncode, said
        return 0, said

    def test_findings_fail_the_job_and_are_everywhere(self) -> None:
        (self.workspace / "a.py").write_text(harness.ELEMENT_LOOP)
        code, said = self.run_action()
        self.assertEqual(code, FINDINGS, said)
        self.assertIn("::error title=R101 element-loop,file=a.py,line=6", said)
        self.assertRegex(said, r"(?m)^R101 element loop")
        self.assertIn("R101", self.files["summary"].read_text())
        self.assertEqual(self.files["output"].read_text(), "exit-code=1\nsarif-file=cpnlint.sarif\n")
        self.assertEqual(len(json.loads((self.workspace / "cpnlint.sarif").read_text())["runs"][0]["results"]), 1)

    def test_inputs(self) -> None:
        (self.workspace / "sub").mkdir()
        (self.workspace / "sub" / "a b.py").write_text(harness.ELEMENT_LOOP)
        (self.workspace / "sub" / "c.py").write_text(harness.JOIN_IN_LOOP)
        code, said = self.run_action(
            working_directory="sub", paths="a b.py\nc.py\n", args="--ignore\nR203", fail_on="never",
            sarif_file="out.sarif", summary="false", version=VERSION,
        )  # fmt: skip
        self.assertEqual(code, OK, said)
        self.assertNotIn("R203", said)
        self.assertIn("file=sub/a b.py", said)
        self.assertEqual(self.files["summary"].read_text(), "")
        self.assertIn("sarif-file=sub/out.sarif", self.files["output"].read_text())

    def test_nothing_in_an_input_is_run(self) -> None:
        (self.workspace / "a.py").write_text(harness.CLEAN)
        for text in ("$(touch ran)", "`touch ran`", "; touch ran", "a.py' && touch ran '", "\" && touch ran \""):
            code, said = self.run_action(paths=text)
            self.assertEqual(code, TROUBLE, said)
            self.run_action(sarif_file=text)
        self.assertFalse((self.workspace / "ran").exists())

    def test_trouble_fails_the_job(self) -> None:
        code, said = self.run_action(paths="nowhere.py")
        self.assertEqual(code, TROUBLE)
        self.assertIn("nowhere.py", said)

    def test_upload_is_of_what_was_written(self) -> None:
        upload = next(step for step in self.action["runs"]["steps"] if "uses" in step)
        self.assertTrue(upload["uses"].startswith("github/codeql-action/upload-sarif@v"))
        self.assertIn("inputs.upload-sarif == 'true'", upload["if"])
        self.assertEqual(upload["with"]["sarif_file"], "${{ steps.run.outputs.sarif-file }}")


class GitLab(ServerTest):
    def job(self, **variables: str) -> subprocess.CompletedProcess[str]:
        import yaml

        template = yaml.safe_load((common.ROOT / "docs" / "ci" / "gitlab-ci.yml").read_text(encoding="utf-8"))
        self.assertEqual(list(template), ["cpnlint"])
        job = template["cpnlint"]
        self.artifacts: dict[str, Any] = job["artifacts"]
        before = [] if (self.workspace / ".cpnlint-venv").exists() else job["before_script"]
        script = "\n".join([*before, *job["script"]])
        known = job["variables"] | {"CI_PROJECT_DIR": str(self.workspace)} | variables
        return self.bash(script, self.workspace, **known)

    def test_the_job_writes_its_artifacts_and_fails_on_findings(self) -> None:
        (self.workspace / "sub").mkdir()
        (self.workspace / "sub" / "a.py").write_text(harness.ELEMENT_LOOP)
        done = self.job(CPNLINT_VERSION=VERSION, CPNLINT_PATHS="sub", CPNLINT_ARGS="--preview --isolated")
        self.assertEqual(done.returncode, FINDINGS, done.stdout + done.stderr)
        names = [*self.artifacts["paths"], *self.artifacts["reports"].values()]
        for name in names:
            self.assertTrue((self.workspace / name).is_file(), name)
        report = json.loads((self.workspace / self.artifacts["reports"]["codequality"]).read_text())
        self.assertEqual([issue["location"]["path"] for issue in report], ["sub/a.py"])

        (self.workspace / "sub" / "a.py").write_text(harness.CLEAN)
        done = self.job()
        self.assertEqual(done.returncode, OK, done.stdout + done.stderr)


if __name__ == "__main__":
    harness.main()
