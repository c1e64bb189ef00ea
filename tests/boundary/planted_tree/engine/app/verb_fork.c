static int run(const Arguments *arguments) {
    return importIsSpine(arguments->operands[0]) ? runSpine(arguments) : runModel(arguments);
}
