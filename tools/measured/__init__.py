"""Parts of the scripts that write measured pages: tools/fidelity, tools/fidelity-batches, tools/compare-sls and those of bench/."""
