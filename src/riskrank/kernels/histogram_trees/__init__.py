"""Trees grown on histograms, for gradients of rankings: the loops of the engine `native`, in the order of their use.

1. `bin`: each value becomes a code of one byte, once for all trees.
2. `sample`: a tree sees some of the documents, those with large gradients more likely, and weighs them so that all sums
   stay unbiased. Gradient, hessian and number of a document are packed into one integer of 64 bits.
3. `count`: a leaf's histograms, one addition per value: sums of these integers for each feature and code.
4. `split`: the best split of a leaf, from its histograms.
5. `grow`: a leaf becomes two: its documents are parted, the smaller child is counted, the larger one is the rest.
6. `renew`: all documents find their leaves; values of leaves are exact, from the gradients of all documents.

`walk` scores documents with finished trees, `shapley` says what each feature adds to a score, and `mixing` has the
random numbers, each of which is a hash of what it is for: nothing depends on the number of threads.
"""
