"""Everything but the name and the least Python comes from settings.ini."""
import shlex
from configparser import ConfigParser
from pathlib import Path

from setuptools import find_packages, setup

here = Path(__file__).parent
config = ConfigParser(delimiters=["="], interpolation=None)
config.read(here / "settings.ini", encoding="utf-8")
cfg = config["DEFAULT"]


def listed(key: str) -> list[str]:
    "The requirements under `key` of settings.ini."
    return shlex.split(cfg.get(key, ""))


suffix = "_requirements"
extras = {key[: -len(suffix)]: listed(key) for key in cfg if key.endswith(suffix) and listed(key)}
status = {"1": "1 - Planning", "2": "2 - Pre-Alpha", "3": "3 - Alpha", "4": "4 - Beta", "5": "5 - Production/Stable"}

setup(
    name=cfg["lib_name"],
    version=cfg["version"],
    description=cfg["description"],
    long_description=(here / "README.md").read_text(encoding="utf-8"),
    long_description_content_type="text/markdown",
    license_expression="Apache-2.0",
    author=cfg["author"],
    author_email=cfg["author_email"],
    url=cfg["git_url"],
    project_urls={"Documentation": cfg["doc_host"] + cfg["doc_baseurl"]},
    keywords=cfg["keywords"],
    classifiers=[
        "Development Status :: " + status[cfg["status"]],
        "Intended Audience :: " + cfg["audience"],
        "Framework :: Jupyter",
        "Programming Language :: Python :: 3",
        *(f"Programming Language :: Python :: 3.{minor}" for minor in (11, 12, 13)),
    ],
    packages=find_packages(include=["amend_nb", "amend_nb.*"]),
    package_data={"amend_nb": ["py.typed", "*.pyi", "data/*", "data/**/*", "view/*"]},
    python_requires=">=" + cfg["min_python"],
    install_requires=listed("requirements"),
    extras_require=extras,
    entry_points={
        "console_scripts": listed("console_scripts"),
        "nbdev": [f"{cfg['lib_name']}={cfg['lib_path']}._modidx:d"],
    },
    zip_safe=False,
)
