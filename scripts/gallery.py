"""Write the page of all kinds of figures: the figures and their captions in; the page and its images out."""

from pathlib import Path

from benchmill.core.whole_file import write_text
from benchmill.figures import gallery
from benchmill.workflow.job import job

with job(snakemake):
    folder, page = Path(snakemake.output.images), Path(snakemake.output.page)
    folder.mkdir(parents=True)
    examples = []
    for example, image, caption in zip(snakemake.params.examples, snakemake.input.images, snakemake.input.captions, strict=True):
        gallery.shrink(image, folder / f"{example['study']}_{example['name']}.png")
        examples.append({**example, "caption": Path(caption).read_text("utf-8").strip()})
    write_text(page, gallery.page(examples, folder.relative_to(page.parent).as_posix()))
