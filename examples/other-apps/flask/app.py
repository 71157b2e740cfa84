import os

from flask import Flask, jsonify

app = Flask(__name__)


@app.get("/")
def home():
    return jsonify(app="flask", branch=os.environ.get("STRATA_BRANCH"))
