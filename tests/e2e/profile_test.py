"""cpnlint profile: what comes with the program, one of them in full, several side by side, and what is wrong with a file."""

from __future__ import annotations

import json

import harness
from harness import OK, common

SCHEMA = common.ROOT / "docs" / "schema" / "profile-1.schema.json"
SHIPPED = ["a100-40", "a100-80", "b200", "cpu", "gh200", "h100-pcie", "h100-sxm", "h200", "l40s", "p100", "v100"]


class Profiles(harness.ProgramTest):
    def json_of(self, *arguments: str) -> dict:
        done = self.run_program("profile", *arguments, "--output-format", "json")
        self.assertEqual((done.returncode, done.stderr), (OK, ""))
        return json.loads(done.stdout)

    def test_list(self) -> None:
        profiles = self.json_of("list")["profiles"]
        self.assertEqual([profile["name"] for profile in profiles], SHIPPED)
        supported = {profile["name"]: profile["supported"] for profile in profiles}
        self.assertEqual([name for name, yes in supported.items() if not yes], ["p100"])
        text = self.run_program("profile", "list").stdout
        self.assertEqual([line.split()[0] for line in text.splitlines()[1:]], SHIPPED)

    def test_every_shipped_profile_fits_the_schema(self) -> None:
        common.use_test_packages()
        import jsonschema

        validator = jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text()))
        for name in SHIPPED:
            document = self.json_of("show", name)
            self.assertEqual([error.message for error in validator.iter_errors(document)], [])
            self.assertEqual(document["name"], name)

    def test_a_file_is_as_good_as_a_name(self) -> None:
        path = self.write("mine.json", self.run_program("profile", "show", "h200", "--output-format", "json").stdout)
        self.assertEqual(self.json_of("show", str(path)), self.json_of("show", "h200"))

    def test_show_in_words(self) -> None:
        text = self.run_program("profile", "show", "h200").stdout
        self.assertIn("NVIDIA H200, compute capability 9.0", text)
        self.assertRegex(text, r"(?m)^bandwidth +4\.1 TB/s +.* - .* +literature +BabelStream")
        self.assertIn("needs compute capability 7.0", self.run_program("profile", "show", "p100").stdout)

    def test_compare(self) -> None:
        document = self.json_of("compare", "a100-80", "h200")
        first, last = (entry["value"] for entry in document["parameters"]["bandwidth"]["values"])
        self.assertGreater(last, 2 * first)
        text = self.run_program("profile", "compare", "a100-80", "h200").stdout
        self.assertEqual(text.split("\n")[0].split(), ["parameter", "a100-80", "h200", "last", "/", "first"])

    def test_trouble_names_the_thing(self) -> None:
        self.assert_trouble(self.run_program("profile", "show", "h100"), "`h100-pcie` or `h100-sxm`")
        self.assert_trouble(self.run_program("profile", "show", "nowhere.json"), "nowhere.json")
        self.assert_trouble(self.run_program("profile", "shw"), "did you mean `show`")
        self.assert_trouble(self.run_program("profile", "compare", "h200"), "2 at least")
        broken = self.write("broken.json", "{")
        self.assert_trouble(self.run_program("profile", "show", str(broken)), "broken.json: not JSON")
        document = self.json_of("show", "h200")
        document["parameters"]["wait"]["value"] = -1
        path = self.write("negative.json", json.dumps(document))
        self.assert_trouble(self.run_program("profile", "show", str(path)), "`parameters.wait.value` is negative")
        document["schema"] = 7
        path = self.write("new.json", json.dumps(document))
        self.assert_trouble(self.run_program("profile", "show", str(path)), "`schema` is 7")


if __name__ == "__main__":
    harness.main()
